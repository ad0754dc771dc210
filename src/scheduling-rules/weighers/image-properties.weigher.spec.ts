import type { HostInstance } from '../host-state/host-state';
import { bind } from '../pipeline/bind';
import { hostInAggregates, hostState, requestSpec, TEST_ENVIRONMENT } from '../pipeline/pipeline.fixture';
import { weigherTable } from '../pipeline/rule-table.fixture';
import { imagePropertiesWeigher } from './image-properties.weigher';

type Properties = Readonly<Record<string, string>>;
const running = (...images: readonly Properties[]) => ({
  instances: new Map(
    images.map((imageProperties, at) => [`i${at}`, { uuid: `i${at}`, projectId: null, flavor: null, imageProperties }]),
  ),
});
const image = (properties: Properties) => ({ image: { id: null, name: null, diskFormat: null, properties } });
const configured = (multiplier: number, ...settings: readonly string[]) => ({
  filter_scheduler: { image_props_weight_multiplier: multiplier, image_props_weight_setting: settings },
});
const aggregates = (multiplier: string) =>
  hostInAggregates('X', { image_props_weight_multiplier: multiplier }).aggregates;
const WINDOWS = { os_distro: 'windows' };
const LINUX = { os_distro: 'linux' };
const Q35 = { hw_machine_type: 'q35' };
const PC = { hw_machine_type: 'pc' };
const SETTINGS = ['os_distro=2', 'hw_machine_type=-1'];

describe('ImagePropertiesWeigher', () => {
  weigherTable(imagePropertiesWeigher, [
    {
      rule: 'instances with the same property count, each pair by itself',
      hosts: { X: running(WINDOWS, WINDOWS, LINUX), Y: running(LINUX) },
      spec: image({ ...WINDOWS, ...Q35 }),
      options: configured(1),
      outcome: { raw: { X: 2, Y: 0 }, order: ['X', 'Y'] },
      flip: {
        hosts: { Y: running({ ...WINDOWS, ...Q35 }, { ...LINUX, ...Q35 }) },
        outcome: { raw: { X: 2, Y: 3 }, order: ['Y', 'X'] },
      },
    },
    {
      rule: 'ratios weigh the pairs: the worked example ends in a draw',
      hosts: { X: running({ ...WINDOWS, ...Q35 }, { ...WINDOWS, ...PC }, { ...LINUX, ...Q35 }), Y: running(WINDOWS) },
      spec: image({ ...WINDOWS, ...Q35 }),
      options: configured(1, ...SETTINGS),
      outcome: { raw: { X: 2, Y: 2 }, normalized: { X: 0, Y: 0 } },
      flip: {
        hosts: { Y: running({ ...WINDOWS, ...Q35 }) },
        outcome: { raw: { X: 2, Y: 1 }, normalized: { X: 1, Y: 0 } },
      },
    },
    {
      rule: 'with settings, properties that are not listed count nothing',
      hosts: { X: running(WINDOWS), Y: running(Q35) },
      spec: image({ ...WINDOWS, ...Q35 }),
      options: configured(1, 'os_distro=2'),
      outcome: { raw: { X: 2, Y: 0 } },
      flip: { options: configured(1), outcome: { raw: { X: 1, Y: 1 } } },
    },
    {
      rule: 'values are compared as text',
      hosts: { X: running({ os_distro: 'Windows' }), Y: running() },
      spec: image(WINDOWS),
      options: configured(1),
      outcome: { raw: { X: 0, Y: 0 } },
      flip: { hosts: { X: running(WINDOWS) }, outcome: { raw: { X: 1, Y: 0 } } },
    },
    {
      rule: 'without an image nothing matches',
      hosts: { X: running(WINDOWS), Y: running() },
      spec: { image: null },
      options: configured(1),
      outcome: { raw: { X: 0, Y: 0 } },
      flip: { spec: image(WINDOWS), outcome: { raw: { X: 1, Y: 0 } } },
    },
    {
      rule: 'off by default, and an aggregate alone cannot switch it on',
      hosts: { X: { ...running(WINDOWS), aggregates: aggregates('5') }, Y: running() },
      spec: image(WINDOWS),
      outcome: { raw: { X: 0, Y: 0 }, score: { X: 0, Y: 0 } },
      flip: { options: configured(1), outcome: { raw: { X: 1, Y: 0 }, score: { X: 5, Y: 0 } } },
    },
    {
      rule: 'a negative multiplier spreads',
      hosts: { X: running(WINDOWS), Y: running() },
      spec: image(WINDOWS),
      options: configured(-1),
      outcome: { order: ['Y', 'X'] },
      flip: { options: configured(1), outcome: { order: ['X', 'Y'] } },
    },
  ]);

  it('counts again when an instance comes', () => {
    const weigh = (instances: ReadonlyMap<string, HostInstance>): number =>
      imagePropertiesWeigher.weigh(hostState({ instances }), requestSpec(image(WINDOWS)), {
        options: bind(imagePropertiesWeigher, configured(1)).values,
        env: TEST_ENVIRONMENT,
      });
    const { instances } = running(WINDOWS);
    expect([weigh(instances), weigh(instances)]).toEqual([1, 1]);
    expect(weigh(running(WINDOWS, WINDOWS).instances)).toBe(2);
  });
});
