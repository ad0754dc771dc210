import type { Flavor, Image } from '../request-spec/request-spec';
import { cpuSettings } from './cpu-settings';

type Texts = Readonly<Record<string, string>>;
type Settings = ReturnType<typeof cpuSettings>;

const flavorOf = (extraSpecs: Texts): Flavor => ({
  name: null,
  vcpus: 4,
  memoryMb: 1024,
  rootGb: 0,
  ephemeralGb: 0,
  swapMb: 0,
  extraSpecs,
});
const imageOf = (properties: Texts): Image => ({ id: null, name: null, diskFormat: null, properties });

/** The settings, or the error message. */
function settingsOf(extraSpecs: Texts, properties: Texts = {}): Settings | string {
  try {
    return cpuSettings(flavorOf(extraSpecs), imageOf(properties));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const spec = (key: string): string => `'flavor.extra_specs.${key}'`;
const property = (name: string): string => `'image.properties.${name}'`;
const ALL = [0, 1, 2, 3];
const MASK = 'hw:cpu_dedicated_mask';
const ISOLATED = { 'hw:emulator_threads_policy': 'isolate' };
const REALTIME = { 'hw:cpu_realtime': 'yes', 'hw:cpu_realtime_mask': '^0' };
const DEDICATED = { 'hw:cpu_policy': 'dedicated' };
const MIXED = { 'hw:cpu_policy': 'mixed', [MASK]: '1' };
const HT = 'trait:HW_CPU_HYPERTHREADING';
const NEEDS = 'needs the CPU policy dedicated or mixed.';

const settings = (given: Partial<Settings>): Settings => ({
  policy: null,
  threadPolicy: null,
  dedicatedCpus: [],
  emulatorThreadsIsolated: false,
  ...given,
});
const dedicated = (given: Partial<Settings> = {}): Settings =>
  settings({ policy: 'dedicated', dedicatedCpus: ALL, ...given });

describe('the CPU policy', () => {
  it.each<[string, Texts, Texts, Settings | string]>([
    ['of nothing', {}, {}, settings({})],
    ['of a name', DEDICATED, {}, dedicated()],
    ['of PCPU', { 'resources:PCPU': '4' }, {}, dedicated()],
    ['of PCPU in numbered groups', { 'resources1:PCPU': '1', 'resources22:PCPU': '3' }, {}, dedicated()],
    ['of PCPU in a group with a name: none', { 'resources_A:PCPU': '4' }, {}, settings({})],
    ['of PCPU in group 0: none', { 'resources0:PCPU': '4' }, {}, settings({})],
    ['of no PCPU', { 'resources:PCPU': '0' }, {}, settings({})],
    ['of no PCPU beside a name', { 'resources:PCPU': '0', ...DEDICATED }, {}, dedicated()],
    ['of VCPU', { 'resources:VCPU': '9' }, {}, settings({ policy: 'shared' })],
    [
      'of PCPU with isolated emulator threads',
      { 'resources:PCPU': '5', ...ISOLATED },
      {},
      dedicated({ emulatorThreadsIsolated: true }),
    ],
    [
      'of too few PCPU',
      { 'resources:PCPU': '3' },
      {},
      `${spec('resources:PCPU')} must sum up to 4 PCPU, which is flavor.vcpus, not to 3.`,
    ],
    [
      'of PCPU without the emulator’s',
      { 'resources1:PCPU': '4', ...ISOLATED },
      {},
      `${spec('resources1:PCPU')} must sum up to 5 PCPU, which is flavor.vcpus + 1 with hw:emulator_threads_policy=isolate, not to 4.`,
    ],
    [
      'of PCPU and a name',
      { 'resources:PCPU': '4', ...DEDICATED },
      {},
      `${spec('resources:PCPU')} cannot be given together with hw:cpu_policy; both set the CPU policy.`,
    ],
    [
      'of VCPU and a name of the image',
      { 'resources2:VCPU': '4' },
      { hw_cpu_policy: 'shared' },
      `${spec('resources2:VCPU')} cannot be given together with hw_cpu_policy of the image; both set the CPU policy.`,
    ],
    [
      'of PCPU and VCPU',
      { 'resources:VCPU': '4', 'resources1:PCPU': '4' },
      {},
      `${spec('resources1:PCPU')} cannot be given together with resources:VCPU: CPUs are dedicated or shared.`,
    ],
  ])('%s', (_, specs, properties, expected) => expect(settingsOf(specs, properties)).toEqual(expected));
});

describe('the thread policy', () => {
  const required = { [HT]: 'required' };
  it.each<[string, Texts, Texts, Settings | string]>([
    ['of a required trait', { ...DEDICATED, ...required }, {}, dedicated({ threadPolicy: 'require' })],
    ['of a forbidden trait', { ...DEDICATED, [HT]: 'forbidden' }, {}, dedicated({ threadPolicy: 'isolate' })],
    [
      'of a trait of a numbered group',
      { 'resources1:PCPU': '4', 'trait1:HW_CPU_HYPERTHREADING': 'forbidden' },
      {},
      dedicated({ threadPolicy: 'isolate' }),
    ],
    ['of the image’s trait', DEDICATED, required, dedicated({ threadPolicy: 'require' })],
    ['of both traits', { ...DEDICATED, [HT]: 'forbidden' }, required, dedicated({ threadPolicy: 'isolate' })],
    ['of what an image forbids: none', DEDICATED, { [HT]: 'forbidden' }, dedicated()],
    ['of a name', { ...DEDICATED, 'hw:cpu_thread_policy': 'prefer' }, {}, dedicated({ threadPolicy: 'prefer' })],
    [
      'of a trait and a name',
      { ...DEDICATED, ...required, 'hw:cpu_thread_policy': 'require' },
      {},
      `${spec(HT)} cannot be given together with flavor.extra_specs.hw:cpu_thread_policy; both set the thread policy.`,
    ],
    [
      'of the image’s trait and its name',
      DEDICATED,
      { ...required, hw_cpu_thread_policy: 'require' },
      `${property(HT)} cannot be given together with image.properties.hw_cpu_thread_policy; both set the thread policy.`,
    ],
  ])('%s', (_, specs, properties, expected) => expect(settingsOf(specs, properties)).toEqual(expected));
});

describe('without dedicated CPUs', () => {
  it.each<[string, Texts, Texts, Settings | string]>([
    ['emulator threads can be shared', { 'hw:emulator_threads_policy': 'share' }, {}, settings({})],
    [
      'emulator threads cannot be isolated',
      ISOLATED,
      {},
      `${spec('hw:emulator_threads_policy')} is 'isolate', which ${NEEDS}`,
    ],
    [
      'nor with shared CPUs by VCPU',
      { 'resources:VCPU': '4', ...ISOLATED },
      {},
      `${spec('hw:emulator_threads_policy')} is 'isolate', which ${NEEDS}`,
    ],
    [
      'there is no thread policy',
      { 'hw:cpu_thread_policy': 'prefer' },
      {},
      `${spec('hw:cpu_thread_policy')} sets the thread policy 'prefer', which ${NEEDS}`,
    ],
    [
      'nor one of the image',
      {},
      { hw_cpu_thread_policy: 'require' },
      `${property('hw_cpu_thread_policy')} sets the thread policy 'require', which ${NEEDS}`,
    ],
    ['nor one by a trait', { [HT]: 'required' }, {}, `${spec(HT)} sets the thread policy 'require', which ${NEEDS}`],
    ['no CPU is realtime', REALTIME, {}, `${spec('hw:cpu_realtime')} ${NEEDS}`],
    ['realtime can be off', { 'hw:cpu_realtime': 'no' }, {}, settings({})],
    ['there is no mask', { [MASK]: '1' }, {}, `${spec(MASK)} needs the CPU policy 'mixed'.`],
  ])('%s', (_, specs, properties, expected) => expect(settingsOf(specs, properties)).toEqual(expected));
});

describe('with dedicated CPUs', () => {
  it.each<[string, Texts, Settings | string]>([
    ['some CPUs of a mask', MIXED, settings({ policy: 'mixed', dedicatedCpus: [1] })],
    ['no mask with all dedicated', { ...DEDICATED, [MASK]: '1' }, `${spec(MASK)} needs the CPU policy 'mixed'.`],
    ['no mask with PCPU', { 'resources:PCPU': '4', [MASK]: '1' }, `${spec(MASK)} needs the CPU policy 'mixed'.`],
    ['realtime CPUs', { ...DEDICATED, ...REALTIME }, dedicated()],
    [
      'realtime CPUs beyond the flavor',
      { ...DEDICATED, 'hw:cpu_realtime': 'yes', 'hw:cpu_realtime_mask': '4' },
      `${spec('hw:cpu_realtime_mask')} names CPU 4 of a flavor with 4 vCPUs.`,
    ],
  ])('%s', (_, specs, expected) => expect(settingsOf(specs)).toEqual(expected));
});
