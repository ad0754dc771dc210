import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { finish } from '../domain/walk';
import { HostReportDto } from '../compute/hosts/hosts.schema';
import { validDocument, validBodyWalk } from './dto-body.decorator';
import { firstFault } from './document-fault';
import { JUDGED_STRICTLY, judgedDocument } from './dto-lists';

const uuidOf = (at: number): string => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;

interface Report extends Record<string, unknown> {
  instances: unknown[];
  metrics: unknown[];
}

function large(change: (report: Report) => void): Report {
  const report: Report = {
    vcpus_total: 64,
    instances: Array.from({ length: 1_000 }, (_, at) => ({ uuid: uuidOf(at), flavor: 'small', project_id: 'p' })),
    metrics: Array.from({ length: 900 }, (_, at) => ({ name: `m${at}`, value: at })),
  };
  change(report);
  return report;
}

const FAULTS: readonly (readonly [name: string, change: (report: Report) => void])[] = [
  ['nothing', () => undefined],
  ['an entry of a list', (report) => (report.instances[900] = { uuid: 'none' })],
  ['an unknown field of an entry', (report) => (report.instances[12] = { uuid: uuidOf(1), more: 1 })],
  ['an entry that is no object', (report) => (report.instances[999] = 'x')],
  ['an entry that is a list', (report) => (report.instances[0] = [])],
  [
    'a list that is too long',
    (report) => (report.metrics = Array.from({ length: 10_001 }, () => ({ name: 'm', value: 1 }))),
  ],
  ['another list', (report) => (report.metrics[3] = { name: 'm' })],
  ['a field beside the lists', (report) => (report['vcpus_total'] = -1)],
  ['an unknown field', (report) => (report['more'] = 1)],
];
const PAIRS = FAULTS.flatMap(([one, first]) => FAULTS.map(([other, second]) => [one, other, first, second] as const));

it.each(PAIRS)('long lists are judged in parts as they are as a whole: %s, %s', (_one, _other, first, second) => {
  const report = large((each) => {
    first(each);
    second(each);
  });
  const whole = plainToInstance(HostReportDto, report);
  const errors = validateSync(whole, JUDGED_STRICTLY);
  const judged = finish(judgedDocument(HostReportDto, report));
  // The first of each: a list is told of its first wrong entry only.
  const told = (error: (typeof errors)[number]): unknown => firstFault([error]);
  expect(judged.errors.map(told)).toEqual(errors.map(told));
  if (errors.length === 0) expect(judged.instance).toEqual(whole);
});

it.each<[string, (report: Report) => void, string]>([
  [
    'names that every object has',
    (report) => (report.instances[700] = { uuid: uuidOf(1), constructor: 1 }),
    "JSON does not validate: 'instances.700.constructor' has a name that is not allowed.",
  ],
  [
    'text that cannot be stored',
    (report) => (report.instances[800] = { uuid: uuidOf(1), flavor: '\0' }),
    "JSON does not validate: 'instances.800.flavor' is not valid text.",
  ],
  [
    'the entry that is wrong',
    (report) => (report.instances[900] = { uuid: 'x' }),
    "'instances.900.uuid' is not a uuid",
  ],
])('of a long list is told %s', (_what, change, told) => {
  expect(() => validDocument(HostReportDto, large(change))).toThrow(told);
});

it('a report with long lists is judged in many steps', () => {
  const walk = validBodyWalk(
    HostReportDto,
    large(() => undefined),
  );
  let steps = 0;
  while (walk.next().done !== true) steps += 1;
  expect(steps).toBeGreaterThan(100);
});
