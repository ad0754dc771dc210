// What the edge has to know of the facade: which APIs it has, and how each of them talks.
import type { MountedApi } from '../http/mounted-api';
import type { BerthConfig } from '../config/berth-config';
import { COMPUTE_API } from './compute-api';
import { hasIdentity, isFacadeOn } from './facade-config';
import { IDENTITY_API } from './identity-api';
import { IMAGE_API } from './image-api';

/** None where the facade is off. */
export function facadeApis(config: BerthConfig): readonly MountedApi[] {
  if (!isFacadeOn(config)) return [];
  return [COMPUTE_API, IMAGE_API, ...(hasIdentity(config) ? [IDENTITY_API] : [])];
}
