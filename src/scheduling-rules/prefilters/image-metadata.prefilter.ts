// Image metadata: requires hosts that support the devices and the architecture of the image. Each property counts
// separately; in nova, one property without a trait disables the others.

import { STANDARD_TRAITS } from '../../placement/domain/standard-traits';
import { boolean } from '../../platform/values/options';
import { definePrefilter } from '../pipeline/define-prefilter';
import { invalid } from '../request-spec/request-refusal';

const KNOWN: ReadonlySet<string> = new Set(STANDARD_TRAITS);

const PREFIXES: Readonly<Record<string, string>> = {
  hw_cdrom_bus: 'COMPUTE_STORAGE_BUS_',
  hw_disk_bus: 'COMPUTE_STORAGE_BUS_',
  hw_video_model: 'COMPUTE_GRAPHICS_MODEL_',
  hw_vif_model: 'COMPUTE_NET_VIF_MODEL_',
  hw_architecture: 'HW_ARCH_',
  hw_emulation_architecture: 'COMPUTE_ARCH_',
  hw_viommu_model: 'COMPUTE_VIOMMU_MODEL_',
};
/** Nova's prefix for vIOMMU models. No such trait exists. */
const NOVA_PREFIXES: typeof PREFIXES = { ...PREFIXES, hw_viommu_model: 'COMPUTE_VIOMMU_' };

interface ImpliedTrait {
  readonly property: string;
  readonly value: string;
  readonly trait: string;
}

function impliedTraits(properties: Readonly<Record<string, string>>, prefixes: typeof PREFIXES): ImpliedTrait[] {
  return Object.entries(prefixes).flatMap(([property, prefix]) => {
    const value = Object.hasOwn(properties, property) ? (properties[property] ?? '').trim() : '';
    if (value === '') return [];
    return [{ property, value, trait: `${prefix}${value.toUpperCase().replaceAll('-', '_')}` }];
  });
}

export const imageMetadataPrefilter = definePrefilter({
  name: 'ImageMetadataPrefilter',
  summary: 'Requires of the host one trait per known property of the image: buses, models, architectures, vIOMMU.',
  options: {
    image_metadata_prefilter: boolean(false, 'Ask for hosts with the traits that the image’s properties imply.', {
      group: 'scheduler',
    }),
    image_metadata_unknown_trait_is_error: boolean(
      false,
      'Refuse an image property without a matching trait as an invalid request; otherwise no host qualifies.',
      { group: 'scheduler' },
    ),
  },
  refusals: { unknown_trait: 'No host supports image property {property}={value}: there is no trait {trait}' },
  apply: ({ image }, { options, novaCompat, add, nothing, refuse }) => {
    if (!options.image_metadata_prefilter) return nothing('switched off');
    const implied = impliedTraits(image?.properties ?? {}, novaCompat ? NOVA_PREFIXES : PREFIXES);
    if (implied.length === 0) return nothing('no image property implies a trait');
    const unknown = implied.find(({ trait }) => !KNOWN.has(trait));
    if (unknown === undefined) {
      const because = implied.map(({ property, value }) => `${property} ${value}`).join(', ');
      return add({ rootRequired: [...new Set(implied.map(({ trait }) => trait))] }, `image ${because}`);
    }
    const { property, value, trait } = unknown;
    if (novaCompat) return nothing(`image ${property} ${value} implies ${trait}, which does not exist`);
    if (!options.image_metadata_unknown_trait_is_error) return refuse('unknown_trait', { property, value, trait });
    throw invalid(`image.properties.${property}`, `is '${value}', for which there is no trait ${trait}`);
  },
});
