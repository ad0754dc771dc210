// Presents how many more instances of each flavor fit, and the bottlenecks of the hosts.
import { presentTime } from '../../compute/registry-page';
import { REPORT_LIMITS } from '../../platform/config/limits/reports';
import { ageSeconds } from '../age';
import type { Bottleneck } from '../stranded/bottleneck';
import { bindingSentence } from '../stranded/bottleneck';
import type { FlavorTotal } from '../stranded/cloud-findings';
import type { FoundFlavor, NewestFinding } from '../stranded/findings-cache';

interface FlavorPage {
  readonly newest: NewestFinding;
  readonly flavors: readonly FoundFlavor[];
  readonly next: string | null;
  readonly nowMs: number;
}

export function presentFlavorReport({ newest: { state, finding }, flavors, next, nowMs }: FlavorPage): object {
  return {
    at: presentTime(finding?.atMs ?? null),
    state,
    age_s: ageSeconds(finding?.atMs ?? null, nowMs),
    flavors: flavors.map((flavor) => presentFlavor(flavor, finding?.unusable ?? 0)),
    next_marker: next,
  };
}

function presentFlavor({ flavor, total, cause, error }: FoundFlavor, unusable: number): object {
  const { id, name, vcpus, memoryMb, rootGb } = flavor;
  const binding = total === null ? [] : [...total.bottlenecks.map(presentBinding), ...presentUnusable(unusable)];
  return {
    id,
    name,
    vcpus,
    memory_mb: memoryMb,
    root_gb: rootGb,
    fit: total?.count ?? 0,
    at_least: total?.isExact === false,
    hosts: total?.hosts ?? 0,
    cause,
    binding: binding.sort((one, other) => other.hosts - one.hosts).slice(0, REPORT_LIMITS.reasonsShown),
    error,
  };
}

interface Binding extends Pick<Bottleneck, 'kind' | 'name'> {
  readonly hosts: number;
  readonly sentence: string;
}

const presentBinding = ({ bottleneck, hosts }: FlavorTotal['bottlenecks'][number]): Binding => ({
  kind: bottleneck.kind,
  name: bottleneck.name,
  hosts,
  sentence: bindingSentence(bottleneck, hosts),
});

/** The message of the filter that rejects such hosts. */
function presentUnusable(hosts: number): readonly Binding[] {
  if (hosts === 0) return [];
  const sentence = `${hosts} ${hosts === 1 ? 'host is' : 'hosts are'} disabled or down`;
  return [{ kind: 'service_up', name: 'ComputeFilter', hosts, sentence }];
}
