// Owner: requires providers of nova's compute hosts, once every host's version is new enough to set the trait. Without
// such compute hosts no host would qualify, so it can be disabled.

import { boolean } from '../../platform/values/options';
import { isGroupOf, PCI_IN_PLACEMENT_OPTIONS } from '../pci/in-placement';
import { definePrefilter } from '../pipeline/define-prefilter';
import type { RequestSpec } from '../request-spec/request-spec';

const OWNER_TRAIT = 'OWNER_NOVA';
/** Compute services from this version on set the trait on their providers. */
const OWNER_SERVICE_VERSION = 73;

/** Suffixes of external groups that represent the flavor's PCI requests: `<request id>-<n>`. */
function pciGroups({ requestedResources, pciRequests }: RequestSpec): readonly string[] {
  const ids = pciRequests.flatMap(({ requestId, aliasName }) =>
    requestId === null || aliasName === null ? [] : [requestId],
  );
  return requestedResources.map(({ suffix }) => suffix).filter((suffix) => ids.some((id) => isGroupOf(id, suffix)));
}

export const ownerPrefilter = definePrefilter({
  name: 'OwnerPrefilter',
  summary: `Requires ${OWNER_TRAIT} of the host, and of PCI groups, once every host reports service version ${OWNER_SERVICE_VERSION}.`,
  options: {
    owner_prefilter: boolean(
      true,
      'Ask for providers with OWNER_NOVA once every host reports a service version that sets it.',
      { group: 'scheduler' },
    ),
    ...PCI_IN_PLACEMENT_OPTIONS,
  },
  apply: (spec, { options, cloud, addedBefore, add, nothing }) => {
    if (!options.owner_prefilter) return nothing('switched off');
    if ([...spec.rootRequired, ...addedBefore.rootRequired].includes(OWNER_TRAIT)) return nothing('required already');
    const lowest = cloud.lowestServiceVersion;
    if (lowest === null) return nothing('no host reports a service version');
    if (lowest < OWNER_SERVICE_VERSION) {
      return nothing(`a host reports service version ${lowest}, below ${OWNER_SERVICE_VERSION}`);
    }
    const groups = options.pci_in_placement ? pciGroups(spec) : [];
    return add(
      {
        rootRequired: [OWNER_TRAIT],
        ...(groups.length > 0 && { groups: Object.fromEntries(groups.map((suffix) => [suffix, [OWNER_TRAIT]])) }),
      },
      `every host reports service version ${OWNER_SERVICE_VERSION} or more`,
    );
  },
});
