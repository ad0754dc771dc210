import { parsePciAliases } from '../pci/alias';
import type { Flavor } from '../request-spec/request-spec';
import { problemsOfFlavor } from './lint-flavor';
import { problemsOfImage } from './lint-image';
import type { LintProblem } from './lint-problem';

type Texts = Readonly<Record<string, string>>;

const flavorOf = (extraSpecs: Texts, given: Partial<Flavor> = {}): Flavor => ({
  name: null,
  vcpus: 4,
  memoryMb: 1024,
  rootGb: 1,
  ephemeralGb: 0,
  swapMb: 0,
  extraSpecs,
  ...given,
});
/** `severity field`, with the field's prefix removed. */
const short = (problems: readonly LintProblem[]): string[] =>
  problems.map(
    ({ field, severity }) => `${severity} ${field.replace(/^(flavor\.extra_specs|image\.properties)\./, '')}`,
  );
const ofFlavor = (extraSpecs: Texts, given: Partial<Flavor> = {}): string[] =>
  short(problemsOfFlavor(flavorOf(extraSpecs, given)));
const ofImage = (properties: Texts, diskFormat: string | null = null): string[] =>
  short(problemsOfImage({ id: null, name: null, diskFormat, properties }));

describe('a flavor', () => {
  it.each<[string, Texts, readonly string[]]>([
    ['nothing', {}, []],
    [
      'amounts and traits',
      { 'resources:VGPU': '1', 'trait:HW_CPU_X86_AVX2': 'required', 'trait:CUSTOM_X': 'forbidden' },
      [],
    ],
    ['a complete group', { 'resources_A:VGPU': '1', 'trait_A:CUSTOM_X': 'required' }, []],
    ['an unknown class', { 'resources:NOPE': '1' }, ['error resources:NOPE']],
    ['a malformed custom class', { 'resources:CUSTOM_x': '1' }, ['error resources:CUSTOM_x']],
    ['a bad amount', { 'resources:VGPU': 'many' }, ['error resources:VGPU']],
    ['an overlong suffix', { [`resources${'x'.repeat(65)}:VGPU`]: '1' }, [`error resources${'x'.repeat(65)}:VGPU`]],
    ['a bad trait value', { 'trait:CUSTOM_X': 'maybe' }, ['error trait:CUSTOM_X']],
    ['a malformed trait', { 'trait:custom_x': 'required' }, ['error trait:custom_x']],
    ['an unknown trait', { 'trait:HW_TELEPORTER': 'required' }, ['warning trait:HW_TELEPORTER']],
    ['the typo traits:', { 'traits:CUSTOM_X': 'required' }, ['warning traits:CUSTOM_X', 'error traits']],
    ['the typo resource:', { 'resource:VGPU': '1' }, ['warning resource:VGPU']],
    ['a group without resources', { 'trait_A:CUSTOM_X': 'required' }, ['error trait_A']],
    ['a bad policy', { group_policy: 'any' }, ['error group_policy']],
    ['two groups without a policy', { 'resources1:VGPU': '1', 'resources2:VGPU': '1' }, ['error group_policy']],
    ['two groups with one', { 'resources1:VGPU': '1', 'resources2:VGPU': '1', group_policy: 'none' }, []],
    ['an operator with its operand', { 'capabilities:x': '>= 4' }, []],
    ['an operator without operand', { 'capabilities:x': '<or>' }, ['error capabilities:x']],
    ['a missing blank', { 'aggregate_instance_extra_specs:x': '>=4' }, ['warning aggregate_instance_extra_specs:x']],
    ['the equals sign', { 'capabilities:x': '= 4' }, ['warning capabilities:x']],
    ['an un-scoped key', { ssd: 'true' }, ['warning ssd']],
    ['an un-scoped operator', { ssd: 's==' }, ['warning ssd', 'error ssd']],
    ['a known value', { 'hw:cpu_policy': 'dedicated', 'os:secure_boot': 'required' }, []],
    [
      'unknown values, all of them',
      { 'hw:cpu_policy': 'pinned', 'os:secure_boot': 'yes' },
      ['error hw:cpu_policy', 'error os:secure_boot'],
    ],
    ['what is no boolean', { 'hw:mem_encryption': 'maybe' }, ['error hw:mem_encryption']],
    ['memory encryption, which an image can satisfy', { 'hw:mem_encryption': 'true' }, []],
    [
      'a contradiction with a trait',
      { 'os:secure_boot': 'required', 'trait:COMPUTE_SECURITY_UEFI_SECURE_BOOT': 'forbidden' },
      ['error os:secure_boot'],
    ],
    ['a TPM that does not exist', { 'hw:tpm_version': '1.2', 'hw:tpm_model': 'tpm-crb' }, ['error hw:tpm_model']],
    ['a TPM whose version the image may say', { 'hw:tpm_model': 'tpm-crb' }, ['warning hw:tpm_model']],
    [
      'a level of TPM secrets',
      { 'hw:tpm_version': '2.0', 'hw:tpm_secret_security': 'nobody' },
      ['error hw:tpm_secret_security'],
    ],
    [
      'isolated emulator threads without a policy',
      { 'hw:emulator_threads_policy': 'isolate' },
      ['warning hw:emulator_threads_policy'],
    ],
    ['a thread policy without a policy', { 'hw:cpu_thread_policy': 'isolate' }, ['warning hw:cpu_thread_policy']],
    [
      'a thread trait with shared CPUs',
      { 'resources:VCPU': '1', 'trait:HW_CPU_HYPERTHREADING': 'required' },
      ['error trait:HW_CPU_HYPERTHREADING'],
    ],
    [
      'SEV-SNP, which needs stateless firmware of the image',
      { 'hw:mem_encryption': 'true', 'hw:mem_encryption_model': 'amd-sev-snp' },
      [],
    ],
    [
      'isolated emulator threads with the wrong one',
      { 'hw:cpu_policy': 'shared', 'hw:emulator_threads_policy': 'isolate' },
      ['error hw:emulator_threads_policy'],
    ],
    ['shares of cells that the image may ask for', { 'hw:numa_cpus.0': '0' }, ['warning hw:numa_cpus.0']],
    ['locked memory without a page size', { 'hw:locked_memory': 'true' }, ['error hw:locked_memory']],
    ['locked memory that is no boolean', { 'hw:locked_memory': 'maybe' }, ['error hw:locked_memory']],
    ['cells that do not divide', { 'hw:numa_nodes': '3' }, ['warning hw:numa_nodes']],
    ['cells that are no number', { 'hw:numa_nodes': 'three' }, ['error hw:numa_nodes']],
    ['a page size', { 'hw:mem_page_size': 'huge' }, ['error hw:mem_page_size']],
    [
      'a mask that names no CPU',
      { 'hw:cpu_policy': 'mixed', 'hw:cpu_dedicated_mask': '9' },
      ['error hw:cpu_dedicated_mask'],
    ],
    ['address bits', { 'hw:maxphysaddr_bits': '0' }, ['error hw:maxphysaddr_bits']],
    ['blank values', { 'hw:cpu_policy': '', 'accel:device_profile': '' }, []],
  ])('with %s', (_, specs, expected) => expect(ofFlavor(specs)).toEqual(expected));

  it('without any request is an error', () => {
    expect(ofFlavor({}, { vcpus: 0, memoryMb: 0, rootGb: 0 })).toEqual(['error flavor']);
  });

  it('is checked against the PCI aliases if they are known', () => {
    const aliases = parsePciAliases(['{"name": "gpu", "vendor_id": "10de", "product_id": "1db4"}'], {
      inPlacement: false,
    });
    const flavor = (value: string): Flavor => flavorOf({ 'pci_passthrough:alias': value });
    expect(short(problemsOfFlavor(flavor('gpu:1'), { pciAliases: aliases }))).toEqual([]);
    expect(short(problemsOfFlavor(flavor('fpga:1'), { pciAliases: aliases }))).toEqual(['error pci_passthrough:alias']);
    expect(short(problemsOfFlavor(flavor('fpga:1')))).toEqual([]);
  });

  it('warns of dedicated CPUs that no filter checks', () => {
    const pinned = flavorOf({ 'hw:cpu_policy': 'dedicated' });
    expect(problemsOfFlavor(pinned)).toEqual([]);
    expect(problemsOfFlavor(pinned, { isPinningUnchecked: true })).toEqual([
      {
        severity: 'warning',
        field: 'flavor.extra_specs.hw:cpu_policy',
        why: expect.stringContaining('NUMATopologyFilter'),
      },
    ]);
    expect(problemsOfFlavor(flavorOf({ 'hw:cpu_policy': 'shared' }), { isPinningUnchecked: true })).toEqual([]);
  });
});

describe('an image', () => {
  it.each<[string, Texts, readonly string[]]>([
    ['nothing', {}, []],
    ['known properties', { hw_disk_bus: 'scsi', os_type: 'linux', 'trait:CUSTOM_X': 'forbidden' }, []],
    ['an older name', { architecture: 'amd64' }, []],
    ['an unknown property', { colour: 'blue' }, ['warning colour']],
    ['an older name beside the newer', { vm_mode: 'hvm', hw_vm_mode: 'hvm' }, ['warning vm_mode']],
    ['a bad value', { hw_cpu_policy: 'pinned' }, ['error hw_cpu_policy']],
    ['a bad value under an older name', { architecture: 'z80' }, ['error architecture']],
    ['a bad trait value', { 'trait:CUSTOM_X': 'maybe' }, ['error trait:CUSTOM_X']],
    ['a malformed trait', { 'trait:': 'required' }, ['error trait:']],
    ['a version condition', { img_hv_requested_version: '>=6.0, <7' }, []],
    ['a bad version condition', { img_hv_requested_version: 'six' }, ['error img_hv_requested_version']],
    ['stateless firmware without UEFI', { hw_firmware_stateless: 'true' }, ['warning hw_firmware_stateless']],
    ['stateless firmware with it', { hw_firmware_stateless: 'true', hw_firmware_type: 'uefi' }, []],
    ['encrypted memory without UEFI', { hw_mem_encryption: 'true' }, ['error hw_mem_encryption']],
    ['a TPM whose version the flavor may say', { hw_tpm_model: 'tpm-tis' }, ['warning hw_tpm_model']],
    ['a policy whose mask the flavor says', { hw_cpu_policy: 'mixed' }, []],
  ])('with %s', (_, properties, expected) => expect(ofImage(properties)).toEqual(expected));

  it.each([
    ['qcow2', []],
    ['QCOW2', []],
    ['docker', ['warning image.disk_format']],
  ])('of the disk format %s', (format, expected) => expect(ofImage({}, format)).toEqual(expected));
});
