// PCI devices as resources of Placement: each requested device is one request group with the suffix `<request id>-<n>`.
// Placement chooses a provider per group, and the filters take devices of these providers.

import type { RequestGroup } from '../../placement/candidate-search';
import { STANDARD_RESOURCE_CLASSES } from '../../placement/domain/standard-resource-classes';
import { STANDARD_TRAITS } from '../../placement/domain/standard-traits';
import { customNameOf } from '../../platform/values/names';
import { boolean } from '../../platform/values/options';
import type { PciRequest } from '../request-spec/pci-pool';
import { invalid } from '../request-spec/request-refusal';

export const PCI_IN_PLACEMENT_OPTIONS = {
  pci_in_placement: boolean(false, 'Claim the PCI devices of flavors in Placement, as computes report them there.'),
} as const;

const CLASSES: ReadonlySet<string> = new Set(STANDARD_RESOURCE_CLASSES);
const TRAITS: ReadonlySet<string> = new Set(STANDARD_TRAITS);

interface InPlacement {
  /** Requests by alias have an id. */
  readonly pciRequests: readonly PciRequest[];
  readonly requestedResources: readonly RequestGroup[];
}

/** True for the suffix of a group of this request. */
export function isGroupOf(requestId: string, suffix: string): boolean {
  return suffix.startsWith(`${requestId}-`) && /^\d+$/.test(suffix.slice(requestId.length + 1));
}

/**
 * Adds the groups of all requests by alias. A request with existing groups keeps them; ports bring their own groups.
 */
export function groupsInPlacement(
  requests: readonly PciRequest[],
  given: readonly RequestGroup[],
  newId: () => string,
): InPlacement {
  const requestedResources = [...given];
  const pciRequests = requests.map((request, at) => {
    if (request.aliasName === null) return request;
    const requestId = request.requestId ?? newId();
    if (!given.some(({ suffix }) => isGroupOf(requestId, suffix))) {
      const alternative = onlyAlternative(request, `pci_requests.${at}.spec`);
      for (let device = 0; device < request.count; device += 1) {
        requestedResources.push(groupOf(`${requestId}-${device}`, alternative));
      }
    }
    return { ...request, requestId };
  });
  return { pciRequests, requestedResources };
}

/** True if the request has groups of PCI requests, so each candidate chooses devices. */
export const claimsPciDevices = ({ pciRequests, requestedResources }: InPlacement): boolean =>
  pciRequests.some(
    ({ requestId }) => requestId !== null && requestedResources.some(({ suffix }) => isGroupOf(requestId, suffix)),
  );

/** Required class and traits of the devices; `resource_class` without ids suffices. */
interface Wanted {
  readonly resourceClass: string;
  readonly traits: readonly string[];
}

function onlyAlternative({ alternatives }: PciRequest, field: string): Wanted {
  const [alternative = {}, ...others] = alternatives;
  if (others.length > 0) throw invalid(field, 'names alternatives, which cannot be one request to Placement');
  const { vendor_id: vendor, product_id: product, resource_class: named, traits } = alternative;
  const names = (traits ?? '') === '' ? [] : (traits ?? '').split(',');
  if (typeof named === 'string') return { resourceClass: classNamed(named), traits: names.map(traitNamed) };
  if (typeof vendor !== 'string' || typeof product !== 'string') {
    throw invalid(field, 'must name vendor_id and product_id, or resource_class');
  }
  return { resourceClass: customNameOf(`PCI_${vendor}_${product}`), traits: names.map(traitNamed) };
}

const groupOf = (suffix: string, { resourceClass, traits }: Wanted): RequestGroup => ({
  suffix,
  resources: new Map([[resourceClass, 1]]),
  requiredTraits: [...new Set(traits)].map((trait) => [trait]),
  forbiddenTraits: [],
  memberOf: [],
  forbiddenAggregates: [],
  inTree: null,
});

/** Compute hosts derive the classes and traits of their devices by the same two rules. */
function classNamed(name: string): string {
  const upper = name.toUpperCase();
  return CLASSES.has(upper) ? upper : customNameOf(name);
}

const traitNamed = (name: string): string => (TRAITS.has(name) ? name : customNameOf(name));
