// The amounts that an instance has in Placement by its flavor, with the translation of the scheduler.
import { DomainError } from '../../platform/values/errors';
import { namedCpuPolicy } from '../../scheduling-rules/numa/cpu-policy';
import { NO_ADDITIONS } from '../../scheduling-rules/pipeline/run-prefilters';
import { bareRequest } from '../../scheduling-rules/request-spec/bare-request';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import { buildFallbackRequest, buildResourceRequest } from '../../scheduling-rules/request/resource-request';
import { sumOf } from './findings';
import type { Sizing } from './nova-records';

/** Classes that every flavor decides, even with an amount of 0. */
const ALWAYS_DECIDED = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'];

interface ExpectedAmounts {
  readonly amounts: ReadonlyMap<string, number>;
  /** For pinned CPUs on a host without PCPU; null if there is no such form. */
  readonly alternative: ReadonlyMap<string, number> | null;
  /** Resource classes that the flavor decides. Ports, accelerators and PCI devices decide others. */
  readonly decided: ReadonlySet<string>;
}

/**
 * Law: `resources:*` of the flavor replaces its own amounts. The disk is root + ephemeral + swap rounded up to GiB, and
 * root is 0 for an instance with a volume as its root disk. Pinned CPUs are PCPU, or VCPU on a host without PCPU. Null:
 * the scheduler refuses the flavor.
 */
export function expectedAmounts({ flavor, image, isVolumeBacked }: Sizing): ExpectedAmounts | null {
  const spec: RequestSpec = { ...bareRequest(flavor, image), isBfv: isVolumeBacked };
  try {
    const amounts = sumOf(buildResourceRequest(spec, NO_ADDITIONS, OPTIONS).request.groups);
    const isPinned = namedCpuPolicy(flavor, image) === 'dedicated';
    const fallback = isPinned ? buildFallbackRequest(spec, NO_ADDITIONS, OPTIONS) : null;
    const alternative = fallback && sumOf(fallback.groups);
    return { amounts, alternative, decided: new Set([...ALWAYS_DECIDED, ...amounts.keys()]) };
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}

const OPTIONS = { maxPlacementResults: 1, novaCompat: true };
