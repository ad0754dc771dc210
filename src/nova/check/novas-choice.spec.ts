import { DEFAULT_SCHEDULER_OPTIONS } from '../../scheduler/assemble/default-options.fixture';
import { assembleScheduler } from '../../scheduler/assemble/scheduler-pipeline';
import type { CellStatus } from '../cells/nova-facts';
import { checkChoice } from './facts-check';

const CELL: CellStatus = {
  state: 'ready',
  reason: null,
  readAtMs: 0,
  schemaVersion: 'ccb0fa1a2252',
  uuid: 'u',
  name: 'cell1',
  mappedHosts: 1,
  nodes: 1,
  instances: 0,
};
type Values = Readonly<Record<string, number | boolean>>;

const check = (
  { schema = 'ccb0fa1a2252', release = 26, novaCompat = true }: Record<string, unknown>,
  values: Values = {},
): readonly string[] => {
  const pipeline = assembleScheduler({
    ...DEFAULT_SCHEDULER_OPTIONS,
    novaCompat: novaCompat === true,
    values: { filter_scheduler: { hypervisor_version_weight_multiplier: 0, ...values } },
  });
  const cells = [CELL, { ...CELL, schemaVersion: String(schema) }];
  return checkChoice({ cells }, Number(release), pipeline).map(({ subject, text }) => `${subject}: ${text}`);
};

describe('the check of the choice of hosts', () => {
  it.each<[string, Record<string, unknown>, Values, readonly RegExp[]]>([
    ['nothing if Berth chooses as this release', {}, {}, []],
    ['nova_compat', { novaCompat: false }, {}, [/^choice: \[scheduler\] nova_compat is false: .* set it to true\.$/]],
    [
      'a weigher that the release does not have',
      {},
      { hypervisor_version_weight_multiplier: 1 },
      [
        /hypervisor_version_weight_multiplier is 1: nova has HypervisorVersionWeigher since release 28\. .* nova 26, set/,
      ],
    ],
    [
      'each weigher',
      {},
      { num_instances_weight_multiplier: -1, image_props_weight_multiplier: 2 },
      [/num_inst/, /image_pr/],
    ],
    [
      'own options',
      {},
      { best_fit_weight_multiplier: 1, share_based_weights: true },
      [/no release/, /set it to false/],
    ],
    [
      'a release that is not that of the oldest cell',
      { release: 28, schema: '1acf2c98e646' },
      { hypervisor_version_weight_multiplier: 1 },
      [
        /^configuration: \[nova\] release is 28, and the cells have the schema of release 26\. Set it to 26\.$/,
        /nova 26/,
      ],
    ],
  ])('names %s', (_what, given, values, expected) => {
    expect(check(given, values)).toEqual(expected.map((text) => expect.stringMatching(text)));
  });

  it('takes the configured release among those of one schema, or of an unknown one', () => {
    const weigh = { image_props_weight_multiplier: 1 };
    const of = (schemaVersion: string, release: number): readonly unknown[] => {
      const values = { filter_scheduler: { hypervisor_version_weight_multiplier: 1, ...weigh } };
      const pipeline = assembleScheduler({ ...DEFAULT_SCHEDULER_OPTIONS, novaCompat: true, values });
      return checkChoice({ cells: [{ ...CELL, schemaVersion }] }, release, pipeline);
    };
    expect([of('2903cd72dc14', 33), of('13863f4e1612', 30), of('unknown', 35)].map(({ length }) => length)).toEqual([
      0, 1, 0,
    ]);
  });
});
