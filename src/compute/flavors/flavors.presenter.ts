import type { Warning } from '../definition-rules';
import { presentTime } from '../registry-page';
import type { RegisteredFlavor } from './flavor.entity';

export const presentFlavor = (flavor: RegisteredFlavor, warnings?: readonly Warning[]): object => ({
  id: flavor.id,
  name: flavor.name,
  vcpus: flavor.vcpus,
  memory_mb: flavor.memoryMb,
  root_gb: flavor.rootGb,
  ephemeral_gb: flavor.ephemeralGb,
  swap: flavor.swapMb,
  extra_specs: flavor.extraSpecs,
  generation: flavor.generation,
  created_at: presentTime(flavor.createdAtMs),
  updated_at: presentTime(flavor.updatedAtMs),
  ...(warnings !== undefined && { warnings }),
});
