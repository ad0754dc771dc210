import { HostAggregateDto } from '../../compute/host-aggregates/host-aggregates.schema';
import { HostReportDto } from '../../compute/hosts/hosts.schema';
import { HTTP_LIMITS } from '../../platform/config/limits/http';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { validDocument } from '../../platform/http/dto-body.decorator';
import { SelectDestinationsDto } from './request.schema';

const uuidOf = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
const many = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));
const keyed = (count: number, value: unknown): object => Object.fromEntries(many(count, (at) => [`k${at}`, value]));
const REQUEST = { num_instances: 1, flavor: { vcpus: 1, memory_mb: 64 }, project_id: 'p', user_id: 'u' };
const { documentBytes } = HTTP_LIMITS;

const report = (entry: object): object => ({
  instances: many(10_000, (at) => ({ uuid: uuidOf(at), flavor: 'small', ...(at === 900 && entry) })),
});

it.each<[string, object, string]>([
  ['an entry', { uuid: 'none' }, "'instances.900.uuid' is not a uuid"],
  ['an unknown field of an entry', { more: 1 }, "'instances.900' has the unknown property 'more'"],
  ['a name that every object has', { constructor: 1 }, "'instances.900.constructor' has a name that is not allowed"],
  ['text that cannot be stored', { flavor: '\0' }, "'instances.900.flavor' is not valid text"],
  [
    'a key that cannot be stored',
    { image_properties: { '\0': 'x' } },
    "'instances.900.image_properties' has a key that",
  ],
  ['a key that is too long', { image_properties: { ['x'.repeat(256)]: '' } }, 'which must have at most 255 characters'],
  [
    'a map that is too large',
    { image_properties: keyed(1_001, '') },
    "image_properties' must have at most 1000 entries",
  ],
])('a long list is refused for %s', async (_what, entry, expected) => {
  await expect(validDocument(HostReportDto, report({}))).resolves.toHaveProperty('instances.length', 10_000);
  await expect(validDocument(HostReportDto, report(entry))).rejects.toThrow(expected);
});

it.each<[string, unknown, string]>([
  ['an object', {}, "'instances' is not of type array"],
  ['a text', 'x', "'instances' is not of type array"],
  ['an entry that is a list', [[]], "'instances.0' is not of type object"],
  ['too many entries', many(10_001, () => ({ uuid: uuidOf(1) })), "'instances' must have at most 10000 entries"],
])('a long list is refused if it is %s', async (_what, instances, expected) => {
  await expect(validDocument(HostReportDto, { instances })).rejects.toThrow(expected);
});

it('lists of names and uuids are as long as their limits, and uuids arrive canonical', async () => {
  const hosts = many(SCHEDULER_LIMITS.hostsPerAggregate, (at) => `host-${at}`);
  const names = many(SCHEDULER_LIMITS.hostsNamed, (at) => `host-${at}`);
  const instances = many(SCHEDULER_LIMITS.instancesPerRequest, (at) => uuidOf(at).replaceAll('-', '').toUpperCase());
  const request = { ...REQUEST, num_instances: undefined, instances, ignore_hosts: names, force_hosts: names };
  await expect(validDocument(HostAggregateDto, { name: 'a', hosts }, documentBytes)).resolves.toEqual({
    name: 'a',
    hosts,
  });
  const judged = await validDocument(SelectDestinationsDto, request, documentBytes);
  expect(judged.instances).toEqual(many(SCHEDULER_LIMITS.instancesPerRequest, uuidOf));
  expect(judged.ignore_hosts).toBe(names);
});

it('everything else has a limit together, whose refusal names the fields that it does not count', async () => {
  const request = { ...REQUEST, image: { name: 'i', properties: keyed(2, 'x'.repeat(60_000)) } };
  const flavor = { ...REQUEST.flavor, extra_specs: keyed(300, 'x'.repeat(250)) };
  const hints = { scheduler_hints: { notes: many(10_000, () => 'x'.repeat(20)) } };
  const of = (document: object): Promise<object> => validDocument(SelectDestinationsDto, document, documentBytes);
  await expect(of({ ...request, ...hints })).resolves.toMatchObject(hints);
  await expect(of({ ...request, ...hints, flavor })).rejects.toMatchObject({
    code: 'too_large',
    message: expect.stringMatching(
      /larger than 65536 bytes, not counting scheduler_hints, texts of more than 255 char/,
    ),
  });
});

it('names that every object has are refused anywhere, before they are lost', async () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const specs = JSON.parse(`{"a":{"${name}":"x"}}`) as object;
    const flavor = { ...REQUEST.flavor, extra_specs: specs };
    await expect(validDocument(SelectDestinationsDto, { ...REQUEST, flavor })).rejects.toThrow(
      `'flavor.extra_specs.a.${name}' has a name that is not allowed`,
    );
  }
});
