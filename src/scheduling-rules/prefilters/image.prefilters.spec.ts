// The prefilters that read the image, or flavor and image together.
import type { PrefilterOutcome } from '../pipeline/define-prefilter';
import { outcomeOf, requestSpec } from '../pipeline/pipeline.fixture';
import { prefilterTable } from '../pipeline/rule-table.fixture';
import type { RequestSpec } from '../request-spec/request-spec';
import { ephemeralEncryptionPrefilter } from './ephemeral-encryption.prefilter';
import { imageMetadataPrefilter } from './image-metadata.prefilter';
import { packedVirtqueuesPrefilter } from './packed-virtqueues.prefilter';
import { tpmSecretSecurityPrefilter } from './tpm-secret-security.prefilter';
import { virtioSoundPrefilter } from './virtio-sound.prefilter';

type Texts = Readonly<Record<string, string>>;

const plain = requestSpec();
const saying = (extraSpecs: Texts, properties?: Texts): Partial<RequestSpec> => ({
  flavor: { ...plain.flavor, extraSpecs },
  image: properties === undefined ? null : { id: null, name: null, diskFormat: null, properties },
});
const nothing = (whyNot: string): PrefilterOutcome => ({ kind: 'nothing', whyNot });
const root = (because: string, ...rootRequired: readonly string[]): PrefilterOutcome => ({
  kind: 'added',
  added: { rootRequired },
  because,
});

describe('ImageMetadataPrefilter', () => {
  const ON = { scheduler: { image_metadata_prefilter: true } };
  const SATA = root('image hw_disk_bus sata', 'COMPUTE_STORAGE_BUS_SATA');
  const NONE = nothing('no image property implies a trait');
  const refused = (property: string, value: string, trait: string): PrefilterOutcome => ({
    kind: 'refused',
    code: 'unknown_trait',
    params: { property, value, trait },
  });

  it.each([
    ['hw_cdrom_bus', 'ide', 'COMPUTE_STORAGE_BUS_IDE'],
    ['hw_disk_bus', 'virtio', 'COMPUTE_STORAGE_BUS_VIRTIO'],
    ['hw_video_model', 'qxl', 'COMPUTE_GRAPHICS_MODEL_QXL'],
    ['hw_vif_model', 'spapr-vlan', 'COMPUTE_NET_VIF_MODEL_SPAPR_VLAN'],
    ['hw_architecture', 'x86_64', 'HW_ARCH_X86_64'],
    ['hw_emulation_architecture', 'aarch64', 'COMPUTE_ARCH_AARCH64'],
    ['hw_viommu_model', 'smmuv3', 'COMPUTE_VIOMMU_MODEL_SMMUV3'],
  ])('%s %s is %s', (property, value, trait) => {
    const spec = requestSpec(saying({}, { [property]: value }));
    expect(outcomeOf(imageMetadataPrefilter, spec, ON)).toEqual(root(`image ${property} ${value}`, trait));
  });

  prefilterTable(imageMetadataPrefilter, [
    {
      rule: 'is off by default',
      spec: saying({}, { hw_disk_bus: 'sata' }),
      outcome: nothing('switched off'),
      flip: { options: ON, outcome: SATA },
    },
    {
      rule: 'no image is an image without properties',
      options: ON,
      outcome: NONE,
      flip: { spec: saying({}, { hw_disk_bus: 'sata' }), outcome: SATA },
    },
    {
      rule: 'other properties imply nothing',
      spec: saying({}, { hw_rescue_bus: 'sata', hw_disk_bus: '' }),
      options: ON,
      outcome: NONE,
      flip: { spec: saying({}, { hw_disk_bus: 'sata' }), outcome: SATA },
    },
    {
      rule: 'two buses of one kind are one trait, both architectures two',
      spec: saying({}, { hw_cdrom_bus: 'sata', hw_disk_bus: 'sata' }),
      options: ON,
      outcome: root('image hw_cdrom_bus sata, hw_disk_bus sata', 'COMPUTE_STORAGE_BUS_SATA'),
      flip: {
        spec: saying({}, { hw_architecture: 'x86_64', hw_emulation_architecture: 's390x' }),
        outcome: root(
          'image hw_architecture x86_64, hw_emulation_architecture s390x',
          'HW_ARCH_X86_64',
          'COMPUTE_ARCH_S390X',
        ),
      },
    },
    {
      rule: 'no host qualifies for a value without a trait',
      spec: saying({}, { hw_disk_bus: 'sata', hw_architecture: 'armv7l' }),
      options: ON,
      outcome: refused('hw_architecture', 'armv7l', 'HW_ARCH_ARMV7L'),
      flip: { spec: saying({}, { hw_disk_bus: 'sata' }), outcome: SATA },
    },
    {
      rule: 'nova adds nothing at all when one value has no trait',
      spec: saying({}, { hw_disk_bus: 'sata', hw_architecture: 'armv7l' }),
      options: ON,
      surroundings: { novaCompat: true },
      outcome: nothing('image hw_architecture armv7l implies HW_ARCH_ARMV7L, which does not exist'),
      flip: { spec: saying({}, { hw_disk_bus: 'sata' }), outcome: SATA },
    },
    {
      rule: 'nova knows no trait of a vIOMMU model',
      spec: saying({}, { hw_viommu_model: 'intel' }),
      options: ON,
      surroundings: { novaCompat: true },
      outcome: nothing('image hw_viommu_model intel implies COMPUTE_VIOMMU_INTEL, which does not exist'),
      flip: {
        surroundings: { novaCompat: false },
        outcome: root('image hw_viommu_model intel', 'COMPUTE_VIOMMU_MODEL_INTEL'),
      },
    },
  ]);

  it('refuses the request for a value without a trait if so configured', () => {
    const spec = requestSpec(saying({}, { hw_emulation_architecture: 'i686' }));
    const strict = { scheduler: { image_metadata_prefilter: true, image_metadata_unknown_trait_is_error: true } };
    expect(() => outcomeOf(imageMetadataPrefilter, spec, strict)).toThrow(
      "'image.properties.hw_emulation_architecture' is 'i686', for which there is no trait COMPUTE_ARCH_I686.",
    );
  });
});

describe('PackedVirtqueuesPrefilter', () => {
  const KEY = 'hw:virtio_packed_ring';
  const PROPERTY = 'hw_virtio_packed_ring';
  const PACKED = root('packed virtqueues are asked for', 'COMPUTE_NET_VIRTIO_PACKED');
  const NOT = nothing('packed virtqueues are not asked for');

  it.each(['true', '1', 'yes', 'on', 'TRUE', 'Yes', ' on '])('reads %j as true', (text) => {
    expect(outcomeOf(packedVirtqueuesPrefilter, requestSpec(saying({ [KEY]: text })))).toEqual(PACKED);
    expect(outcomeOf(packedVirtqueuesPrefilter, requestSpec(saying({}, { [PROPERTY]: text })))).toEqual(PACKED);
  });

  prefilterTable(packedVirtqueuesPrefilter, [
    {
      rule: 'without an image the flavor decides',
      spec: saying({ [KEY]: 'false' }),
      outcome: NOT,
      flip: { spec: saying({ [KEY]: 'true' }), outcome: PACKED },
    },
    {
      rule: 'without a word of the flavor the image decides',
      spec: saying({}, { [PROPERTY]: '0' }),
      outcome: NOT,
      flip: { spec: saying({}, { [PROPERTY]: '1' }), outcome: PACKED },
    },
    {
      rule: 'both may say the same in other words',
      spec: saying({ [KEY]: 'yes' }, { [PROPERTY]: 'True' }),
      outcome: PACKED,
      flip: { spec: saying({ [KEY]: 'no' }, { [PROPERTY]: 'False' }), outcome: NOT },
    },
    {
      rule: 'nova reads what is no boolean as false',
      spec: saying({ [KEY]: 'maybe' }),
      surroundings: { novaCompat: true },
      outcome: NOT,
      flip: { spec: saying({ [KEY]: 'true' }), outcome: PACKED },
    },
  ]);

  it.each([
    ['yes', 'no'],
    ['false', 'true'],
  ])('flavor %s and image %s are a conflict', (flavor, image) => {
    const spec = requestSpec(saying({ [KEY]: flavor }, { [PROPERTY]: image }));
    expect(() => outcomeOf(packedVirtqueuesPrefilter, spec)).toThrow(
      expect.objectContaining({ code: 'scheduler.invalid_request', field: `image.properties.${PROPERTY}` }),
    );
  });

  it('refuses a value that is not a boolean', () =>
    expect(() => outcomeOf(packedVirtqueuesPrefilter, requestSpec(saying({ [KEY]: 'maybe' })))).toThrow(
      `'flavor.extra_specs.${KEY}' must be true or false, not 'maybe'.`,
    ));
});

describe('EphemeralEncryptionPrefilter', () => {
  const KEY = 'hw:ephemeral_encryption';
  const NOT = nothing('ephemeral encryption is not asked for');
  const TRAIT = 'COMPUTE_EPHEMERAL_ENCRYPTION';
  const PLAIN = root('ephemeral encryption', TRAIT);

  it.each(['luks', 'luksv2', 'plain'])('requires the trait of the format %s', (format) => {
    const expected = root(`ephemeral encryption, format ${format}`, TRAIT, `${TRAIT}_${format.toUpperCase()}`);
    const byFlavor = saying({ [KEY]: 'true', [`${KEY}_format`]: format });
    const byImage = saying({ [KEY]: 'true' }, { hw_ephemeral_encryption_format: format });
    for (const spec of [byFlavor, byImage]) {
      expect(outcomeOf(ephemeralEncryptionPrefilter, requestSpec(spec))).toEqual(expected);
    }
  });

  prefilterTable(ephemeralEncryptionPrefilter, [
    {
      rule: 'the flavor asks for it',
      spec: saying({ [KEY]: 'true' }),
      outcome: PLAIN,
      flip: { spec: saying({ [KEY]: 'false' }), outcome: NOT },
    },
    {
      rule: 'the image asks for it',
      spec: saying({}, { hw_ephemeral_encryption: 'true' }),
      outcome: PLAIN,
      flip: { spec: saying({}, {}), outcome: NOT },
    },
    {
      rule: 'a format alone asks for nothing',
      spec: saying({ [`${KEY}_format`]: 'luks' }),
      outcome: NOT,
      flip: {
        spec: saying({ [KEY]: '1', [`${KEY}_format`]: 'luks' }),
        outcome: root('ephemeral encryption, format luks', TRAIT, `${TRAIT}_LUKS`),
      },
    },
  ]);

  it.each([
    ['hw_ephemeral_encryption', saying({ [KEY]: 'true' }, { hw_ephemeral_encryption: 'false' })],
    [
      'hw_ephemeral_encryption_format',
      saying({ [KEY]: '1', [`${KEY}_format`]: 'luks' }, { hw_ephemeral_encryption_format: 'plain' }),
    ],
    ['hw_ephemeral_encryption_format', saying({ [KEY]: '1' }, { hw_ephemeral_encryption_format: 'LUKS' })],
  ])('refuses at image.properties.%s', (property, spec) => {
    expect(() => outcomeOf(ephemeralEncryptionPrefilter, requestSpec(spec))).toThrow(
      expect.objectContaining({ field: `image.properties.${property}` }),
    );
  });
});

describe('VirtioSoundPrefilter', () => {
  const VIRTIO = root('sound model virtio', 'COMPUTE_SOUND_MODEL_VIRTIO');
  prefilterTable(virtioSoundPrefilter, [
    {
      rule: 'nothing is asked without a model',
      spec: saying({}, {}),
      outcome: nothing('no sound model is asked for'),
      flip: { spec: saying({}, { hw_sound_model: 'virtio' }), outcome: VIRTIO },
    },
    {
      rule: 'only virtio needs a trait',
      spec: saying({ 'hw:sound_model': 'ich6' }),
      outcome: nothing('every host has sound model ich6'),
      flip: { spec: saying({ 'hw:sound_model': 'virtio' }), outcome: VIRTIO },
    },
  ]);

  it.each([
    ['flavor.extra_specs.hw:sound_model', saying({ 'hw:sound_model': 'tuba' })],
    ['image.properties.hw_sound_model', saying({}, { hw_sound_model: 'tuba' })],
    ['image.properties.hw_sound_model', saying({ 'hw:sound_model': 'virtio' }, { hw_sound_model: 'usb' })],
  ])('refuses at %s', (field, spec) => {
    expect(() => outcomeOf(virtioSoundPrefilter, requestSpec(spec))).toThrow(expect.objectContaining({ field }));
  });
});

describe('TpmSecretSecurityPrefilter', () => {
  const level = (name: string): PrefilterOutcome =>
    root(`TPM secret security ${name}`, `COMPUTE_SECURITY_TPM_SECRET_SECURITY_${name.toUpperCase()}`);
  const TPM = { 'hw:tpm_version': '2.0' };
  const secret = (value: string): Partial<RequestSpec> => saying({ ...TPM, 'hw:tpm_secret_security': value });

  prefilterTable(tpmSecretSecurityPrefilter, [
    {
      rule: 'nothing is asked without a TPM, whatever the level',
      spec: saying({ 'hw:tpm_secret_security': 'host' }),
      outcome: nothing('no TPM is asked for'),
      flip: { spec: secret('host'), outcome: level('host') },
    },
    {
      rule: 'the image may ask for the TPM; the default level is user',
      spec: saying({}, { hw_tpm_version: '1.2' }),
      outcome: level('user'),
      flip: { spec: saying({}, {}), outcome: nothing('no TPM is asked for') },
    },
    {
      rule: 'an unknown level is refused',
      spec: secret('nobody'),
      outcome: { kind: 'refused', code: 'unsupported_level', params: { level: 'nobody' } },
      flip: { spec: secret('deployment'), outcome: level('deployment') },
    },
  ]);

  it('refuses in the words of the field', () =>
    expect(tpmSecretSecurityPrefilter.refusals['unsupported_level']).toBe(
      "TPM secret security '{level}' is not supported.",
    ));
});
