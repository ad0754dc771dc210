// The origins of a condition: every extra spec, image property, prefilter or part of the request that sets it.
import type { Condition, Origin } from '../../placement/candidate-search';
import { groupsInPlacement } from '../pci/in-placement';
import { requestSpec } from '../pipeline/pipeline.fixture';
import type { MergedAdditions, PrefilterRecord } from '../pipeline/run-prefilters';
import { NO_ADDITIONS } from '../pipeline/run-prefilters';
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

const originsOf = ({ flavor = {}, image = {}, spec = {}, prefilters = [] }: Given, key: Condition): readonly string[] =>
  textsOf(
    new ConditionOrigins(
      requestSpec({
        flavor: { ...plain.flavor, extraSpecs: flavor },
        image: { id: null, name: null, diskFormat: null, properties: image },
        ...spec,
      }),
      prefilters,
      false,
    ).originsOf(key),
  );

const textsOf = (origins: readonly Origin[]): readonly string[] =>
  origins.map(({ by, name, key }) => [by, name, key].filter((part) => part !== null).join(' '));
const condition = (kind: 'trait' | 'resource', name: string, group: string | null): Condition => {
  const part = { kind: kind === 'trait' ? 'required' : 'class', group, names: [name] } as const;
  const without: Condition['parts'][number]['without'] = (request) => request;
  return { kind, names: [name], amount: null, groups: [], parts: [{ ...part, without }] };
};
const trait = (name: string, group: string | null = ''): Condition => condition('trait', name, group);
const resource = (name: string): Condition => condition('resource', name, '');
const REQUIRED = { 'trait:CUSTOM_X': 'required' };

it.each<[string, Given, Condition, readonly string[]]>([
  ['the flavor', { flavor: REQUIRED }, trait('CUSTOM_X'), ['flavor trait:CUSTOM_X']],
  ['the image', { image: REQUIRED }, trait('CUSTOM_X'), ['image trait:CUSTOM_X']],
  [
    'the flavor and the image',
    { flavor: REQUIRED, image: REQUIRED },
    trait('CUSTOM_X'),
    ['flavor trait:CUSTOM_X', 'image trait:CUSTOM_X'],
  ],
  [
    'a setting of the flavor and of the image',
    { flavor: { 'os:secure_boot': 'required' }, image: { os_secure_boot: 'required' } },
    trait('COMPUTE_SECURITY_UEFI_SECURE_BOOT'),
    ['flavor os:secure_boot', 'image os_secure_boot'],
  ],
  [
    'the thread policy of both',
    {
      flavor: { 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'require' },
      image: { hw_cpu_thread_policy: 'require' },
    },
    trait('HW_CPU_HYPERTHREADING'),
    ['flavor hw:cpu_thread_policy', 'image hw_cpu_thread_policy'],
  ],
  [
    'the flavor and a prefilter',
    { flavor: REQUIRED, prefilters: [prefilter('SitePrefilter', { groups: { '': ['CUSTOM_X'] } })] },
    trait('CUSTOM_X'),
    ['flavor trait:CUSTOM_X', 'prefilter SitePrefilter'],
  ],
  [
    'the request and several prefilters, of the root',
    {
      spec: { rootRequired: ['CUSTOM_R'] },
      prefilters: ['One', 'Other'].map((name) => prefilter(name, { rootRequired: ['CUSTOM_R'] })),
    },
    trait('CUSTOM_R', null),
    ['request request_level_params', 'prefilter One', 'prefilter Other'],
  ],
  ['the flavor’s own amounts', {}, resource('VCPU'), ['flavor']],
  ['an extra spec', { flavor: { 'resources:VGPU': '1' } }, resource('VGPU'), ['flavor resources:VGPU']],
  [
    'memory encryption of the image',
    { image: { hw_mem_encryption: 'true', hw_firmware_type: 'uefi' } },
    resource('MEM_ENCRYPTION_CONTEXT'),
    ['image hw_mem_encryption'],
  ],
  [
    'persistent memory',
    { flavor: { 'hw:pmem': '6GB' }, image: { hw_pmem: '6GB' } },
    resource('CUSTOM_PMEM_NAMESPACE_6GB'),
    ['flavor hw:pmem'],
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
  const key = condition('resource', 'CUSTOM_PCI_10DE_1EB8', suffix);
  expect(originsOf({ spec }, key)).toEqual(['alias gpu']);
});
