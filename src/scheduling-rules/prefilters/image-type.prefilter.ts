// Image type: requires hosts whose virtualisation driver can boot the image's disk format.

import { boolean } from '../../platform/values/options';
import { definePrefilter } from '../pipeline/define-prefilter';
import { DISK_FORMATS } from '../request/known-values';

const KNOWN_FORMATS: ReadonlySet<string> = new Set(DISK_FORMATS.map((format) => format.toUpperCase()));

export const imageTypePrefilter = definePrefilter({
  name: 'ImageTypePrefilter',
  summary: "Requires COMPUTE_IMAGE_TYPE_<FORMAT> of the host for the image's disk format.",
  options: {
    query_placement_for_image_type_support: boolean(false, "Ask for hosts that support the image's disk format.", {
      group: 'scheduler',
    }),
  },
  apply: (spec, { options, add, nothing }) => {
    if (!options.query_placement_for_image_type_support) return nothing('switched off');
    if (spec.isBfv) return nothing('the root disk is a volume');
    if (spec.image === null) return nothing('the request has no image');
    if (spec.image.diskFormat === null) return nothing('the image has no disk format');
    const format = spec.image.diskFormat.toUpperCase();
    if (!KNOWN_FORMATS.has(format)) return nothing(`no trait is known for disk format ${spec.image.diskFormat}`);
    return add({ rootRequired: [`COMPUTE_IMAGE_TYPE_${format}`] }, `image disk_format ${spec.image.diskFormat}`);
  },
});
