import { outcomeOf, requestSpec } from '../pipeline/pipeline.fixture';
import type { Image } from '../request/request-spec';
import { computeStatusPrefilter } from './compute-status.prefilter';
import { imageTypePrefilter } from './image-type.prefilter';
import { BUILT_IN_PREFILTERS } from './index';

const imageOf = (diskFormat: string | null): Image => ({ id: null, name: null, diskFormat, properties: {} });
const ON = { scheduler: { query_placement_for_image_type_support: true } };

describe('ImageTypePrefilter', () => {
  it('is off by default', () => {
    const outcome = outcomeOf(imageTypePrefilter, requestSpec({ image: imageOf('qcow2') }));
    expect(outcome).toEqual({ kind: 'nothing', whyNot: 'switched off' });
  });

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

  it.each([
    ['no image', { image: null }, 'the request has no image'],
    ['no disk format', { image: imageOf(null) }, 'the image has no disk format'],
    ['an unknown format', { image: imageOf('docker') }, 'no trait is known for disk format docker'],
    ['a volume as root disk', { image: imageOf('raw'), isBfv: true }, 'the root disk is a volume'],
  ])('adds nothing for %s', (_, request, whyNot) => {
    expect(outcomeOf(imageTypePrefilter, requestSpec(request), ON)).toEqual({ kind: 'nothing', whyNot });
  });
});

describe('ComputeStatusPrefilter', () => {
  it('always forbids disabled hosts', () => {
    const added = { rootForbidden: ['COMPUTE_STATUS_DISABLED'] };
    expect(outcomeOf(computeStatusPrefilter, requestSpec())).toEqual({ kind: 'added', added, because: 'always' });
  });
});

it('prefilters run in the order of the field: image type before compute status', () => {
  expect(BUILT_IN_PREFILTERS.map(({ name }) => name)).toEqual(['ImageTypePrefilter', 'ComputeStatusPrefilter']);
});
