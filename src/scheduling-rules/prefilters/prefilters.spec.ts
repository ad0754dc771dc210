import { outcomeOf, requestSpec } from '../pipeline/pipeline.fixture';
import { prefilterTable } from '../pipeline/rule-table.fixture';
import type { Image } from '../request-spec/request-spec';
import { acceleratorsPrefilter } from './accelerators.prefilter';
import { computeStatusPrefilter } from './compute-status.prefilter';
import { imageTypePrefilter } from './image-type.prefilter';
import { BUILT_IN_PREFILTERS } from './index';

const imageOf = (diskFormat: string | null): Image => ({ id: null, name: null, diskFormat, properties: {} });
const ON = { scheduler: { query_placement_for_image_type_support: true } };
const plain = requestSpec();
const profile = (value: string): Partial<typeof plain> => ({
  flavor: { ...plain.flavor, extraSpecs: { 'accel:device_profile': value } },
});

describe('ImageTypePrefilter', () => {
  it.each(['aki', 'ami', 'ari', 'iso', 'ploop', 'qcow2', 'raw', 'vdi', 'vhd', 'vhdx', 'vmdk', 'QCOW2'])(
    'requires the trait of %s',
    (format) => {
      expect(outcomeOf(imageTypePrefilter, requestSpec({ image: imageOf(format) }), ON)).toEqual({
        kind: 'added',
        added: { rootRequired: [`COMPUTE_IMAGE_TYPE_${format.toUpperCase()}`] },
        because: `image disk_format ${format}`,
      });
    },
  );

  const raw = {
    kind: 'added' as const,
    added: { rootRequired: ['COMPUTE_IMAGE_TYPE_RAW'] },
    because: 'image disk_format raw',
  };
  const nothing = (whyNot: string): { kind: 'nothing'; whyNot: string } => ({ kind: 'nothing', whyNot });
  prefilterTable(imageTypePrefilter, [
    {
      rule: 'is off by default',
      spec: { image: imageOf('raw') },
      outcome: nothing('switched off'),
      flip: { options: ON, outcome: raw },
    },
    {
      rule: 'says nothing without an image',
      options: ON,
      outcome: nothing('the request has no image'),
      flip: { spec: { image: imageOf('raw') }, outcome: raw },
    },
    {
      rule: 'says nothing of an image without a disk format',
      spec: { image: imageOf(null) },
      options: ON,
      outcome: nothing('the image has no disk format'),
      flip: { spec: { image: imageOf('raw') }, outcome: raw },
    },
    {
      rule: 'says nothing of a format it does not know',
      spec: { image: imageOf('docker') },
      options: ON,
      outcome: nothing('no trait is known for disk format docker'),
      flip: { spec: { image: imageOf('raw') }, outcome: raw },
    },
    {
      rule: 'says nothing when the root disk is a volume',
      spec: { image: imageOf('raw'), isBfv: true },
      options: ON,
      outcome: nothing('the root disk is a volume'),
      flip: { spec: { isBfv: false }, outcome: raw },
    },
  ]);
});

describe('ComputeStatusPrefilter', () => {
  it('always forbids disabled hosts', () => {
    const added = { rootForbidden: ['COMPUTE_STATUS_DISABLED'] };
    expect(outcomeOf(computeStatusPrefilter, plain)).toEqual({ kind: 'added', added, because: 'always' });
  });
});

describe('AcceleratorsPrefilter', () => {
  prefilterTable(acceleratorsPrefilter, [
    {
      rule: 'an empty device profile is none',
      spec: profile(''),
      outcome: { kind: 'nothing', whyNot: 'the flavor has no device profile' },
      flip: {
        spec: profile('gpu'),
        outcome: {
          kind: 'added',
          added: { rootRequired: ['COMPUTE_ACCELERATORS'] },
          because: 'flavor accel:device_profile gpu',
        },
      },
    },
  ]);
});

it('prefilters run in the order of the field', () => {
  expect(BUILT_IN_PREFILTERS.map(({ name }) => name.replace(/Prefilter$/, ''))).toEqual([
    'TenantAggregate',
    'AvailabilityZone',
    'ImageType',
    'ComputeStatus',
    'IsolatedAggregates',
    'ImageMetadata',
    'Accelerators',
    'PackedVirtqueues',
    'RoutedNetworks',
    'RemoteManagedPorts',
    'EphemeralEncryption',
    'VirtioSound',
    'TpmSecretSecurity',
    'Owner',
  ]);
});

it('a request without an image and without options gets the status trait and nothing else', () => {
  const added = BUILT_IN_PREFILTERS.map((prefilter) => outcomeOf(prefilter, plain)).filter(
    ({ kind }) => kind === 'added',
  );
  expect(added).toEqual([{ kind: 'added', added: { rootForbidden: ['COMPUTE_STATUS_DISABLED'] }, because: 'always' }]);
});
