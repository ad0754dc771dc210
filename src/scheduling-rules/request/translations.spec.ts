import { requestSpec } from '../pipeline/pipeline.fixture';
import { NO_ADDITIONS } from '../pipeline/run-prefilters';
import { queryString } from './query-string';
import { buildResourceRequest } from './resource-request';

type Texts = Readonly<Record<string, string>>;

interface Asked {
  readonly novaCompat?: boolean;
  readonly computeRelease?: number;
  readonly added?: typeof NO_ADDITIONS;
}

const plain = requestSpec();
/**
 * Additions of a flavor and an image to the plain request: the query's `required`, and resources beyond the flavor's.
 */
function asked(extraSpecs: Texts, properties: Texts = {}, { added = NO_ADDITIONS, ...options }: Asked = {}): string {
  const spec = requestSpec({
    flavor: { ...plain.flavor, vcpus: 1, memoryMb: 0, rootGb: 0, ephemeralGb: 0, swapMb: 0, extraSpecs },
    image: { id: null, name: null, diskFormat: null, properties },
  });
  const { request } = buildResourceRequest(spec, added, { maxPlacementResults: 1, ...options });
  return queryString(request)
    .replace('limit=1&', '')
    .replace(/(,?)VCPU:1/, '');
}
const UEFI = { hw_firmware_type: 'uefi' };
const SEV = { 'hw:mem_encryption': 'true' };
const sev = (trait: string): string => `required=${trait}&resources=MEM_ENCRYPTION_CONTEXT:1`;
const TIS = 'COMPUTE_SECURITY_TPM_TIS';
const only = (...traits: readonly string[]): string => `required=${traits.join(',')}&resources=`;
const NOTHING = 'resources=';

describe('traits that older computes do not report', () => {
  const TPM = { 'hw:tpm_version': '2.0' };
  const SECRET = 'COMPUTE_SECURITY_TPM_SECRET_SECURITY_USER';
  it.each<[string, Texts, number, string]>([
    ['TPM models before 30', TPM, 29, 'required=COMPUTE_SECURITY_TPM_2_0&resources='],
    ['TPM secrets before 33', TPM, 30, `required=COMPUTE_SECURITY_TPM_2_0,${TIS}&resources=`],
    ['nothing since 33', TPM, 33, `required=COMPUTE_SECURITY_TPM_2_0,${TIS}&resources=&root_required=${SECRET}`],
    ['not what the flavor names', { [`trait:${TIS}`]: 'required' }, 26, `required=${TIS}&resources=`],
  ])('%s', (_, extraSpecs, computeRelease, query) => {
    const added = { ...NO_ADDITIONS, rootRequired: 'hw:tpm_version' in extraSpecs ? [SECRET] : [] };
    expect(asked(extraSpecs, {}, { computeRelease, added })).toBe(query);
  });
});

describe('a setting becomes resources and traits', () => {
  it.each<[string, Texts, Texts, string]>([
    ['memory encryption', SEV, UEFI, sev('HW_CPU_X86_AMD_SEV')],
    ['memory encryption of the image', {}, { ...UEFI, hw_mem_encryption: '1' }, sev('HW_CPU_X86_AMD_SEV')],
    ['no memory encryption', { 'hw:mem_encryption': 'false' }, {}, NOTHING],
    ['model SEV', { ...SEV, 'hw:mem_encryption_model': 'amd-sev' }, UEFI, sev('HW_CPU_X86_AMD_SEV')],
    ['model SEV-ES', { ...SEV, 'hw:mem_encryption_model': 'amd-sev-es' }, UEFI, sev('HW_CPU_X86_AMD_SEV_ES')],
    [
      'model SEV-SNP',
      SEV,
      { ...UEFI, hw_mem_encryption_model: 'amd-sev-snp', hw_firmware_stateless: 'yes' },
      'required=COMPUTE_SECURITY_STATELESS_FIRMWARE,HW_CPU_X86_AMD_SEV_SNP&resources=MEM_ENCRYPTION_CONTEXT:1',
    ],
    ['a model alone', { 'hw:mem_encryption_model': 'amd-sev' }, {}, NOTHING],
    ['a q35 machine', SEV, { ...UEFI, hw_machine_type: 'pc-q35-6.2' }, sev('HW_CPU_X86_AMD_SEV')],
    [
      'persistent memory, by label',
      { 'hw:pmem': '6GB, 6GB,4GB' },
      {},
      'resources=CUSTOM_PMEM_NAMESPACE_4GB:1,CUSTOM_PMEM_NAMESPACE_6GB:2',
    ],
    ['odd labels', { 'hw:pmem': ' big-one.2 ,big one 2' }, {}, 'resources=CUSTOM_PMEM_NAMESPACE_BIG_ONE_2:2'],
    ['no label', { 'hw:pmem': ' , ' }, {}, NOTHING],
    ['the models of no TPM', { 'hw:tpm_model': 'tpm-tis' }, { hw_tpm_model: 'tpm-crb' }, NOTHING],
    ['TPM 1.2', { 'hw:tpm_version': '1.2' }, {}, only('COMPUTE_SECURITY_TPM_1_2', TIS)],
    ['TPM 2.0 of the image', {}, { hw_tpm_version: '2.0' }, only('COMPUTE_SECURITY_TPM_2_0', TIS)],
    [
      'a TPM by model',
      { 'hw:tpm_version': '2.0' },
      { hw_tpm_model: 'tpm-crb' },
      only('COMPUTE_SECURITY_TPM_2_0', 'COMPUTE_SECURITY_TPM_CRB'),
    ],
    [
      'a TPM by its usual model',
      { 'hw:tpm_version': '1.2', 'hw:tpm_model': 'tpm-tis' },
      {},
      only('COMPUTE_SECURITY_TPM_1_2', TIS),
    ],
    ['socket affinity', { 'hw:pci_numa_affinity_policy': 'socket' }, {}, only('COMPUTE_SOCKET_PCI_NUMA_AFFINITY')],
    ['another affinity', {}, { hw_pci_numa_affinity_policy: 'preferred' }, NOTHING],
    ['secure boot', { 'os:secure_boot': 'required' }, {}, only('COMPUTE_SECURITY_UEFI_SECURE_BOOT')],
    ['secure boot of the image', {}, { os_secure_boot: 'required' }, only('COMPUTE_SECURITY_UEFI_SECURE_BOOT')],
    ['optional secure boot', { 'os:secure_boot': 'optional' }, {}, NOTHING],
    ['disabled secure boot', {}, { os_secure_boot: 'disabled' }, NOTHING],
    [
      'addresses passed through',
      { 'hw:maxphysaddr_mode': 'passthrough' },
      {},
      only('COMPUTE_ADDRESS_SPACE_PASSTHROUGH'),
    ],
    ['addresses emulated', {}, { hw_maxphysaddr_mode: 'emulate' }, only('COMPUTE_ADDRESS_SPACE_EMULATED')],
    ['stateless firmware', {}, { ...UEFI, hw_firmware_stateless: 'True' }, only('COMPUTE_SECURITY_STATELESS_FIRMWARE')],
    ['stateless firmware of a BIOS', {}, { hw_firmware_type: 'bios', hw_firmware_stateless: 'true' }, NOTHING],
    ['firmware with state', {}, { hw_firmware_stateless: 'false' }, NOTHING],
  ])('%s', (_, specs, properties, expected) => expect(asked(specs, properties)).toBe(expected));
});

it.each<[string, Texts, Texts, readonly { readonly field: string; readonly why: string }[]]>([
  [
    'stateless firmware without UEFI',
    {},
    { hw_firmware_stateless: 'true' },
    [{ field: 'image.properties.hw_firmware_stateless', why: 'it needs hw_firmware_type=uefi' }],
  ],
  [
    'the model of no TPM',
    { 'hw:tpm_model': 'tpm-tis' },
    { hw_tpm_model: 'tpm-tis' },
    [
      { field: 'flavor.extra_specs.hw:tpm_model', why: 'it needs a TPM version' },
      { field: 'image.properties.hw_tpm_model', why: 'it needs a TPM version' },
    ],
  ],
])('%s is reported as without effect', (_, extraSpecs, properties, expected) => {
  const image = { id: null, name: null, diskFormat: null, properties };
  const plain = requestSpec();
  const spec = requestSpec({ image, flavor: { ...plain.flavor, extraSpecs } });
  expect(buildResourceRequest(spec, NO_ADDITIONS, { maxPlacementResults: 1 }).ignored).toEqual(expected);
});

describe('a setting that cannot be is refused, with its field', () => {
  it.each<[string, Texts, Texts]>([
    ['flavor.extra_specs.hw:mem_encryption', SEV, {}],
    ['flavor.extra_specs.hw:mem_encryption', SEV, { hw_firmware_type: 'bios' }],
    ['image.properties.hw_mem_encryption', {}, { hw_mem_encryption: 'true' }],
    ['image.properties.hw_mem_encryption', SEV, { ...UEFI, hw_mem_encryption: 'false' }],
    ['flavor.extra_specs.hw:mem_encryption', { 'hw:mem_encryption': 'perhaps' }, UEFI],
    ['image.properties.hw_machine_type', SEV, { ...UEFI, hw_machine_type: 'pc-i440fx' }],
    ['flavor.extra_specs.hw:mem_encryption_model', { ...SEV, 'hw:mem_encryption_model': 'intel' }, UEFI],
    [
      'image.properties.hw_mem_encryption_model',
      { ...SEV, 'hw:mem_encryption_model': 'amd-sev' },
      { ...UEFI, hw_mem_encryption_model: 'amd-sev-es' },
    ],
    ['image.properties.hw_mem_encryption_model', SEV, { ...UEFI, hw_mem_encryption_model: 'amd-sev-snp' }],
    [
      'flavor.extra_specs.hw:mem_encryption_model',
      { ...SEV, 'hw:mem_encryption_model': 'amd-sev-snp' },
      { ...UEFI, hw_firmware_stateless: 'false' },
    ],
    ['flavor.extra_specs.hw:tpm_version', { 'hw:tpm_version': '3.0' }, {}],
    ['image.properties.hw_tpm_version', { 'hw:tpm_version': '1.2' }, { hw_tpm_version: '2.0' }],
    ['flavor.extra_specs.hw:tpm_model', { 'hw:tpm_version': '2.0', 'hw:tpm_model': 'crb' }, {}],
    ['flavor.extra_specs.hw:tpm_model', { 'hw:tpm_version': '1.2', 'hw:tpm_model': 'tpm-crb' }, {}],
    ['flavor.extra_specs.hw:pci_numa_affinity_policy', { 'hw:pci_numa_affinity_policy': 'near' }, {}],
    [
      'image.properties.hw_pci_numa_affinity_policy',
      { 'hw:pci_numa_affinity_policy': 'socket' },
      { hw_pci_numa_affinity_policy: 'legacy' },
    ],
    ['flavor.extra_specs.os:secure_boot', { 'os:secure_boot': 'yes' }, {}],
    ['image.properties.os_secure_boot', { 'os:secure_boot': 'required' }, { os_secure_boot: 'optional' }],
    ['flavor.extra_specs.hw:maxphysaddr_mode', { 'hw:maxphysaddr_mode': 'host' }, {}],
    ['image.properties.hw_firmware_stateless', {}, { ...UEFI, hw_firmware_stateless: 'perhaps' }],
    // The flavor cannot forbid what a translation requires.
    [
      'flavor.extra_specs.os:secure_boot',
      { 'os:secure_boot': 'required', 'trait:COMPUTE_SECURITY_UEFI_SECURE_BOOT': 'forbidden' },
      {},
    ],
  ])('%s', (field, specs, properties) => {
    expect(() => asked(specs, properties)).toThrow(
      expect.objectContaining({ code: 'scheduler.invalid_request', field }),
    );
  });

  it('unless it is text that nova reads as false', () => {
    expect(asked({ 'hw:mem_encryption': 'perhaps' }, { hw_firmware_stateless: 'perhaps' }, { novaCompat: true })).toBe(
      NOTHING,
    );
  });
});
