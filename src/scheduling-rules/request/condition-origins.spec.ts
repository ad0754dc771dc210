// The origins of a condition: every extra spec, image property, prefilter or part of the request that sets it.
import { groupsInPlacement } from '../pci/in-placement';
import { requestSpec } from '../pipeline/pipeline.fixture';
import type { MergedAdditions, PrefilterRecord } from '../pipeline/run-prefilters';
import { NO_ADDITIONS } from '../pipeline/run-prefilters';
import type { ConditionKey } from '../pipeline/wording';
import type { RequestSpec } from '../request-spec/request-spec';
import { ConditionOrigins } from './condition-origins';

const plain = requestSpec();
const prefilter = (name: string, added: Partial<MergedAdditions>): PrefilterRecord => ({
  name,
  ran: true,
  whyNot: null,
  added: { ...NO_ADDITIONS, ...added },
  because: null,
  refused: null,
});

interface Given {
  readonly flavor?: Readonly<Record<string, string>>;
  readonly image?: Readonly<Record<string, string>>;
  readonly spec?: Partial<RequestSpec>;
  readonly prefilters?: readonly PrefilterRecord[];
}

const originsOf = (
  { flavor = {}, image = {}, spec = {}, prefilters = [] }: Given,
  key: ConditionKey,
): readonly string[] =>
  new ConditionOrigins(
    requestSpec({
      flavor: { ...plain.flavor, extraSpecs: flavor },
      image: { id: null, name: null, diskFormat: null, properties: image },
      ...spec,
    }),
    prefilters,
    false,
  ).originsOf(key);

const trait = (name: string, group: string | null = ''): ConditionKey => ({ kind: 'trait', group, name });
const resource = (name: string): ConditionKey => ({ kind: 'class', group: '', name });
const REQUIRED = { 'trait:CUSTOM_X': 'required' };

it.each<[string, Given, ConditionKey, readonly string[]]>([
  ['the flavor', { flavor: REQUIRED }, trait('CUSTOM_X'), ['the flavor (extra spec trait:CUSTOM_X)']],
  ['the image', { image: REQUIRED }, trait('CUSTOM_X'), ['the image (property trait:CUSTOM_X)']],
  [
    'the flavor and the image',
    { flavor: REQUIRED, image: REQUIRED },
    trait('CUSTOM_X'),
    ['the flavor (extra spec trait:CUSTOM_X)', 'the image (property trait:CUSTOM_X)'],
  ],
  [
    'a setting of the flavor and of the image',
    { flavor: { 'os:secure_boot': 'required' }, image: { os_secure_boot: 'required' } },
    trait('COMPUTE_SECURITY_UEFI_SECURE_BOOT'),
    ['the flavor (extra spec os:secure_boot)', 'the image (property os_secure_boot)'],
  ],
  [
    'the thread policy of both',
    {
      flavor: { 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'require' },
      image: { hw_cpu_thread_policy: 'require' },
    },
    trait('HW_CPU_HYPERTHREADING'),
    ['the flavor (extra spec hw:cpu_thread_policy)', 'the image (property hw_cpu_thread_policy)'],
  ],
  [
    'the flavor and a prefilter',
    { flavor: REQUIRED, prefilters: [prefilter('SitePrefilter', { groups: { '': ['CUSTOM_X'] } })] },
    trait('CUSTOM_X'),
    ['the flavor (extra spec trait:CUSTOM_X)', 'SitePrefilter'],
  ],
  [
    'the request and several prefilters, of the root',
    {
      spec: { rootRequired: ['CUSTOM_R'] },
      prefilters: ['One', 'Other'].map((name) => prefilter(name, { rootRequired: ['CUSTOM_R'] })),
    },
    trait('CUSTOM_R', null),
    ['the request (request_level_params)', 'One', 'Other'],
  ],
  ['the flavor’s own amounts', {}, resource('VCPU'), ['the flavor']],
  [
    'an extra spec',
    { flavor: { 'resources:VGPU': '1' } },
    resource('VGPU'),
    ['the flavor (extra spec resources:VGPU)'],
  ],
  [
    'memory encryption of the image',
    { image: { hw_mem_encryption: 'true', hw_firmware_type: 'uefi' } },
    resource('MEM_ENCRYPTION_CONTEXT'),
    ['the image (property hw_mem_encryption)'],
  ],
  [
    'persistent memory',
    { flavor: { 'hw:pmem': '6GB' }, image: { hw_pmem: '6GB' } },
    resource('CUSTOM_PMEM_NAMESPACE_6GB'),
    ['the flavor (extra spec hw:pmem)'],
  ],
  ['nothing that is known', {}, trait('CUSTOM_X'), []],
])('is %s', (_, given, key, expected) => expect(originsOf(given, key)).toEqual(expected));

it('of a group of a PCI request is its alias, not the internal group', () => {
  const requestId = '271e0d3a-0000-4000-8000-000000000001';
  const asked = {
    requestId,
    aliasName: 'gpu',
    count: 1,
    alternatives: [{ vendor_id: '10de', product_id: '1eb8' }],
    numaPolicy: null,
  };
  const spec = groupsInPlacement([asked], [], () => requestId);
  const suffix = `${requestId}-0`;
  const key = { kind: 'class', group: suffix, name: 'CUSTOM_PCI_10DE_1EB8' } as const;
  expect(originsOf({ spec }, key)).toEqual(['the PCI alias gpu']);
});
