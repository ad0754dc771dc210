import { filtersOf, isFiltered, WITHOUT_FILTERS } from './host-query';

const addressOf = (text: string) => {
  const params = new URLSearchParams(text);
  return { get: (name: string) => params.get(name) ?? '', all: (name: string) => params.getAll(name) };
};

describe('the filters in an address', () => {
  it('are read under the names that the report has', () => {
    const filters = filtersOf(addressOf('name=+cn1+&trait=A&trait=!B&status=up&flavor=m1'));
    expect(filters).toEqual({
      name: 'cn1',
      availability_zone: [],
      host_aggregate: '',
      placement_aggregate: '',
      resource_class: '',
      flavor: 'm1',
      stranded: '',
      status: ['up'],
      trait: ['A', '!B'],
    });
  });

  it('distinguish hosts without a zone from hosts in any zone', () => {
    expect(filtersOf(addressOf('availability_zone=')).availability_zone).toEqual(['']);
    expect(isFiltered(filtersOf(addressOf('availability_zone=')))).toBe(true);
  });

  it.each([
    ['', false],
    ['sort=-name&columns=VCPU', false],
    ['name=%20', false],
    ['status=down', true],
    ['placement_aggregate=x', true],
  ])('%j filters: %s', (text, expected) => {
    expect(isFiltered(filtersOf(addressOf(text)))).toBe(expected);
  });

  it('are all cleared at once', () => {
    const all =
      'name=a&availability_zone=b&host_aggregate=c&placement_aggregate=d&resource_class=e&flavor=f&stranded=i&status=g&trait=h';
    expect(new Set(Object.keys(WITHOUT_FILTERS))).toEqual(new Set(new URLSearchParams(all).keys()));
  });
});
