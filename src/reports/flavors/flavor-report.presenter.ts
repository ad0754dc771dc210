// Presents how many more instances of each flavor fit, and the bottlenecks of the hosts.
import type { Page } from '../../compute/registry-page';
import { presentTime } from '../../compute/registry-page';
import { CONDITION_KINDS } from '../../placement/candidate-search';
import { REPORT_LIMITS } from '../../platform/config/limits/reports';
import { COUNT, FLAG, listOf, oneOf, orNull, TEXT, TIME } from '../../platform/http/answer-schemas';
import { documentOf } from '../../platform/http/shown';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { ageSeconds } from '../age';
import type { Bottleneck } from '../stranded/bottleneck';
import { bindingSentence } from '../stranded/bottleneck';
import type { FlavorTotal } from '../stranded/cloud-findings';
import type { FoundFlavor, NewestFinding } from '../stranded/findings-cache';

export function presentFlavorReport(
  { state, finding }: NewestFinding,
  { items, next }: Page<FoundFlavor>,
  nowMs: number,
): object {
  return {
    at: presentTime(finding?.atMs ?? null),
    state,
    age_s: ageSeconds(finding?.atMs ?? null, nowMs),
    flavors: items.map((flavor) => FLAVOR.present({ ...flavor, unusable: finding?.unusable ?? 0 })),
    next_marker: next,
  };
}

interface Counted extends FoundFlavor {
  readonly unusable: number;
}

const BINDING = named(
  'FlavorBinding',
  closed({ kind: oneOf(...CONDITION_KINDS, 'nothing'), name: TEXT, hosts: COUNT, sentence: TEXT }),
);

const FLAVOR = documentOf<Counted>('CountedFlavor', {
  id: [TEXT, ({ flavor }) => flavor.id],
  name: [TEXT, ({ flavor }) => flavor.name],
  vcpus: [COUNT, ({ flavor }) => flavor.vcpus],
  memory_mb: [COUNT, ({ flavor }) => flavor.memoryMb],
  root_gb: [COUNT, ({ flavor }) => flavor.rootGb],
  fit: [COUNT, ({ total }) => total?.count ?? 0],
  at_least: [FLAG, ({ total }) => total?.isExact === false],
  hosts: [COUNT, ({ total }) => total?.hosts ?? 0],
  cause: [orNull(TEXT), ({ cause }) => cause],
  binding: [listOf(BINDING), bindingOf],
  error: [orNull(TEXT), ({ error }) => error],
});

export const FLAVOR_REPORT = named(
  'FlavorReport',
  closed({
    at: orNull(TIME),
    state: oneOf('current', 'computing'),
    age_s: orNull(COUNT),
    flavors: listOf(FLAVOR.schema),
    next_marker: orNull(TEXT),
  }),
);

interface Binding extends Pick<Bottleneck, 'kind' | 'name'> {
  readonly hosts: number;
  readonly sentence: string;
}

function bindingOf({ total, unusable }: Counted): readonly Binding[] {
  const binding = total === null ? [] : [...total.bottlenecks.map(presentBinding), ...presentUnusable(unusable)];
  return binding.sort((one, other) => other.hosts - one.hosts).slice(0, REPORT_LIMITS.reasonsShown);
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
