import type { ComputeVersion } from '../../compute-version';
import type { Links } from '../compute-links';
import type { ComputeFlavor } from './compute-flavors.service';

export const presentFlavorName = (
  { id, name, description }: ComputeFlavor,
  api: ComputeVersion,
  links: Links,
): object => ({
  id,
  name,
  links: links('flavors', id),
  ...(api.has('flavorDescription') && { description }),
});

export const presentComputeFlavor = (flavor: ComputeFlavor, api: ComputeVersion, links: Links): object => ({
  ...presentFlavorName(flavor, api, links),
  ram: flavor.memoryMb,
  vcpus: flavor.vcpus,
  disk: flavor.rootGb,
  swap: flavor.swapMb === 0 && !api.has('zeroSwap') ? '' : flavor.swapMb,
  rxtx_factor: 1,
  'OS-FLV-EXT-DATA:ephemeral': flavor.ephemeralGb,
  'OS-FLV-DISABLED:disabled': false,
  'os-flavor-access:is_public': flavor.isPublic,
  ...(api.has('extraSpecsInFlavor') && { extra_specs: flavor.extraSpecs }),
});

export const presentAccess = (flavorId: string, projects: readonly string[]): object => ({
  flavor_access: projects.map((tenantId) => ({ flavor_id: flavorId, tenant_id: tenantId })),
});
