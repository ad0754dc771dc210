import { isFiltered, searchOf, shortUuid } from './instance-search';

const addressOf = (text: string) => ({ get: (name: string) => new URLSearchParams(text).get(name) ?? '' });

describe('the search for instances in an address', () => {
  it.each([
    ['search=+web+&host=cn1&other=x', { search: 'web', host: 'cn1' }],
    ['project_id=p&flavor=m1&server_group=g', { project_id: 'p', flavor: 'm1', server_group: 'g' }],
    ['search=+', {}],
    ['', {}],
  ])('%j', (text, search) => {
    expect(searchOf(addressOf(text))).toEqual(search);
    expect(isFiltered(searchOf(addressOf(text)))).toBe(Object.keys(search).length > 0);
  });

  it('shortens a uuid to what can be searched', () => {
    expect(shortUuid('f236fa74-facf-4131-a22d-1e206a6090be')).toBe('f236fa74');
  });
});
