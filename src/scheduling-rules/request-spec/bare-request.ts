// A request without conditions, for what needs only the translation of a flavor and an image.
import type { Flavor, Image, RequestSpec } from './request-spec';

/** A request with only this flavor and image. */
export function bareRequest(flavor: Flavor, image: Image | null): RequestSpec {
  return {
    instanceUuid: '',
    instanceUuids: [''],
    minCount: 1,
    projectId: '',
    userId: '',
    flavor,
    image,
    isBfv: false,
    availabilityZone: null,
    schedulerHints: {},
    checkType: null,
    ignoreHosts: [],
    forceHosts: [],
    forceNodes: [],
    requestedDestination: null,
    instanceGroup: null,
    requestedResources: [],
    requestedNetworks: null,
    networkMetadata: null,
    numaTopology: null,
    pciRequests: [],
    retry: null,
    rootRequired: [],
    rootForbidden: [],
    sameSubtree: [],
  };
}
