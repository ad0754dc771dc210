import { BUILT_IN_PREFILTERS } from '../scheduling-rules/prefilters';
import { DEFAULT_SCHEDULER_OPTIONS } from './assemble/default-options.fixture';
import { assembleScheduler } from './assemble/scheduler-pipeline';
import { presentScheduler } from './described-scheduler';
import { decideOn, FixtureCloud, uuidOf } from './scheduler.fixture';
import { presentSelections } from './scheduler.presenter';

const clouds = (): FixtureCloud =>
  new FixtureCloud([{ name: 'a', memoryMb: 8192 }, { name: 'b' }, { name: 'c', instances: [uuidOf(90)] }]);
const PARTS = { enabledFilters: ['NumInstancesFilter', 'DifferentHostFilter'], weightClasses: ['RAMWeigher'] };
const request = {
  body: { scheduler_hints: { different_host: uuidOf(90) } },
  command: { returnAlternates: true },
  options: PARTS,
};

describe('selections', () => {
  it('contain host, allocations and alternates', async () => {
    const { placements } = await decideOn(clouds(), request);
    const resources = { MEMORY_MB: 512, VCPU: 1 };
    const placed = (host: string, weight: number): object => ({
      host,
      node: host,
      uuid: host,
      cell: null,
      availability_zone: 'nova',
      weight,
      limits: {},
      allocation_request: { allocations: { [host]: { resources } }, mappings: { '': [host] } },
      allocation_request_version: '1.36',
    });
    expect(presentSelections(placements, { defaultAvailabilityZone: 'nova' })).toEqual([
      { instance_uuid: uuidOf(1), selected: placed('a', 1), alternates: [placed('b', 0.5)] },
    ]);
  });
});

describe('the description of the scheduler', () => {
  it('lists the enabled parts with their effective options', () => {
    const values = { filter_scheduler: { max_instances_per_host: 7 } };
    const pipeline = assembleScheduler({ ...DEFAULT_SCHEDULER_OPTIONS, ...PARTS, version: '0.1.0', values });
    expect(presentScheduler(pipeline)).toMatchObject({
      name: 'berth',
      version: '0.1.0',
      driver: 'filter_scheduler',
      filters: [
        {
          name: 'NumInstancesFilter',
          source: 'built in',
          options: [{ name: 'max_instances_per_host', value: 7, default: 50 }],
        },
        { name: 'DifferentHostFilter', options: [] },
      ],
      weighers: [
        {
          name: 'RAMWeigher',
          options: [
            { group: 'filter_scheduler', name: 'ram_weight_multiplier', value: 1 },
            { name: 'share_based_weights', value: false },
          ],
        },
      ],
      prefilters: BUILT_IN_PREFILTERS.map(({ name }) => ({ name, source: 'built in' })),
      options: { max_attempts: 3, candidates_per_host: 8 },
    });
  });
});
