// The built-in prefilters, in the order of execution; those of plug-ins run after them. To add one: its file, its table
// spec, one line here.

import type { Prefilter } from '../pipeline/define-prefilter';
import { acceleratorsPrefilter } from './accelerators.prefilter';
import { availabilityZonePrefilter } from './availability-zone.prefilter';
import { computeStatusPrefilter } from './compute-status.prefilter';
import { ephemeralEncryptionPrefilter } from './ephemeral-encryption.prefilter';
import { imageMetadataPrefilter } from './image-metadata.prefilter';
import { imageTypePrefilter } from './image-type.prefilter';
import { isolatedAggregatesPrefilter } from './isolated-aggregates.prefilter';
import { ownerPrefilter } from './owner.prefilter';
import { packedVirtqueuesPrefilter } from './packed-virtqueues.prefilter';
import { remoteManagedPortsPrefilter } from './remote-managed-ports.prefilter';
import { routedNetworksPrefilter } from './routed-networks.prefilter';
import { tenantAggregatePrefilter } from './tenant-aggregate.prefilter';
import { tpmSecretSecurityPrefilter } from './tpm-secret-security.prefilter';
import { virtioSoundPrefilter } from './virtio-sound.prefilter';

export const BUILT_IN_PREFILTERS: readonly Prefilter[] = Object.freeze([
  tenantAggregatePrefilter,
  availabilityZonePrefilter,
  imageTypePrefilter,
  computeStatusPrefilter,
  isolatedAggregatesPrefilter,
  imageMetadataPrefilter,
  acceleratorsPrefilter,
  packedVirtqueuesPrefilter,
  routedNetworksPrefilter,
  remoteManagedPortsPrefilter,
  ephemeralEncryptionPrefilter,
  virtioSoundPrefilter,
  tpmSecretSecurityPrefilter,
  ownerPrefilter,
]);
