import type { Flavor } from '../../scheduling-rules/request-spec/request-spec';
import type { RegisteredFlavor } from './flavor.entity';
import type { FlavorFactsDto } from './flavors.schema';

interface FlavorBody extends FlavorFactsDto {
  readonly name: string | null;
}

/** The part of a flavor that a client can also give inline in a request. */
export const flavorBody = (flavor: Flavor): FlavorBody => ({
  name: flavor.name,
  vcpus: flavor.vcpus,
  memory_mb: flavor.memoryMb,
  root_gb: flavor.rootGb,
  ephemeral_gb: flavor.ephemeralGb,
  swap: flavor.swapMb,
  extra_specs: flavor.extraSpecs,
});

export const presentFlavor = (flavor: RegisteredFlavor): object => ({
  id: flavor.id,
  ...flavorBody(flavor),
});
