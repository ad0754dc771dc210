import { finish } from '../domain/walk';
import { HostReportDto } from '../compute/hosts/hosts.schema';
import { HTTP_LIMITS } from '../config/limits';
import { SelectDestinationsDto } from '../scheduler/request/request.schema';
import { validBodyWalk } from './dto-body.decorator';

const { documentCharacters, documentKeys, documentTextCharacters, documentValues } = HTTP_LIMITS;
const REQUEST = { flavor: { vcpus: 1, memory_mb: 64 }, project_id: 'p', user_id: 'u' };

const many = <T>(count: number, of: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => of(at));
const keyed = (count: number, value: unknown): object => Object.fromEntries(many(count, (at) => [`k${at}`, value]));
const judged = (document: object): unknown => finish(validBodyWalk(SelectDestinationsDto, document));

it.each<[what: string, document: object, told: string | RegExp]>([
  [
    'a text',
    { scheduler_hints: { note: 'x'.repeat(documentTextCharacters + 1) } },
    `'scheduler_hints.note' must have at most ${documentTextCharacters} characters`,
  ],
  [
    'a key',
    { scheduler_hints: { ['x'.repeat(documentTextCharacters + 1)]: '' } },
    `' must have at most ${documentTextCharacters} characters`,
  ],
  [
    'all texts',
    { image: { properties: keyed(documentCharacters / 60_000 + 1, 'x'.repeat(60_000)) } },
    new RegExp(`'image\\.properties\\.k69' .* more than ${documentCharacters} characters`),
  ],
  [
    'an object',
    { flavor: { ...REQUEST.flavor, extra_specs: keyed(documentKeys + 1, '') } },
    `'flavor.extra_specs' must have at most ${documentKeys} entries`,
  ],
  ['the document itself', keyed(documentKeys + 1, ''), `the document must have at most ${documentKeys} entries`],
  [
    'lists of lists',
    { requested_destination: { aggregates: many(1_000, () => many(1_000, () => '')) } },
    new RegExp(`'requested_destination\\.aggregates\\.119\\.\\d+' .* more than ${documentValues} values`),
  ],
  [
    'a short list of documents',
    { requested_resources: [{ requester_id: 'r', aggregates: many(1_000, () => many(200, () => '')) }] },
    /requested_resources\.0\.aggregates\.\d+/,
  ],
  ['what nobody knows', { more: many(200_000, () => 1) }, /'more\.\d+' stands where there are more than/],
])('a document is refused when %s is too large, before it is made an instance', (_what, document, told) => {
  expect(() => judged({ ...REQUEST, ...document })).toThrow(told);
});

it('a document that is as large as its fields may be is judged by their rules', () => {
  const hosts = many(10_000, (at) => `host-${at}`);
  const lists = { ignore_hosts: hosts, force_hosts: hosts, force_nodes: hosts };
  const hints = keyed(50, 'x'.repeat(documentTextCharacters));
  expect(judged({ ...REQUEST, ...lists, scheduler_hints: hints })).toMatchObject({ ignore_hosts: hosts });
  expect(() => judged({ ...REQUEST, scheduler_hints: keyed(1_001, '') })).toThrow('at most 1000 hints');
});

it('an entry of a long list is measured by itself', () => {
  const instance = (at: number): object => ({ uuid: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}` });
  const report = (entry: object): object => ({
    instances: [...many(9_999, instance), { ...instance(9_999), ...entry }],
  });
  const of = (document: object): unknown => finish(validBodyWalk(HostReportDto, document));
  const large = { image_properties: keyed(100, 'x'.repeat(2_000)), host: 'x'.repeat(documentTextCharacters + 1) };
  expect(() => of(report(large))).toThrow("'instances.9999.host' must have at most");
  expect(() => of({ instances: many(10_001, instance) })).toThrow("'instances' must have at most 10000 entries");
});

it('it is measured in many steps', () => {
  const walk = validBodyWalk(SelectDestinationsDto, { ...REQUEST, force_hosts: many(100_000, () => 'h') });
  let steps = 0;
  while (walk.next().done !== true) if ((steps += 1) > 100) break;
  expect(steps).toBeGreaterThan(100);
});
