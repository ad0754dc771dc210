import { base64Url } from '../decision/request-again';
import { bodyOf, fieldsOf, FIRST_FIELDS, readRequest } from './asked-request';

const BODY = {
  flavor: 'm1.small',
  image: null,
  num_instances: 3,
  availability_zone: 'az1',
  project_id: 'p',
  user_id: 'u',
  scheduler_hints: { same_host: ['x'] },
  ignore_hosts: [],
};

describe('a request in a form', () => {
  it('comes out of an address as it went in', () => {
    expect(readRequest(base64Url(JSON.stringify(BODY)))).toEqual(BODY);
  });

  it.each(['', '%%%', base64Url('7'), base64Url('{')])('is no request: %j', (text) => {
    expect(readRequest(text)).toBeUndefined();
  });

  it('keeps what the form has no field for, and leaves out what says nothing', () => {
    const fields = fieldsOf(BODY);
    expect(fields).toMatchObject({ flavor: 'm1.small', image: '', count: '3', zone: 'az1' });
    expect(JSON.parse(fields.rest)).toEqual({ scheduler_hints: { same_host: ['x'] } });
    expect(bodyOf(fields)).toEqual({
      body: {
        flavor: 'm1.small',
        num_instances: 3,
        availability_zone: 'az1',
        project_id: 'p',
        user_id: 'u',
        scheduler_hints: { same_host: ['x'] },
      },
    });
  });

  it('has a flavor that is described among the further fields', () => {
    const fields = fieldsOf({ ...BODY, flavor: { vcpus: 1, memory_mb: 512 } });
    expect(fields.flavor).toBe('');
    expect(bodyOf(fields)).toMatchObject({ body: { flavor: { vcpus: 1, memory_mb: 512 } } });
  });

  it.each([
    [{ flavor: 'f', rest: '[1]' }, /not a JSON object/],
    [{ flavor: 'f', rest: '{' }, /not a JSON object/],
    [{ flavor: '' }, /^Flavor/],
  ])('says what is wrong with %j', (given, fault) => {
    expect(bodyOf({ ...FIRST_FIELDS, ...given })).toEqual({ fault: expect.stringMatching(fault) });
  });
});
