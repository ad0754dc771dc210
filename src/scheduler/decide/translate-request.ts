// A request as the scheduler understands it, and what it asks of Placement: the same for decisions and for reports.

import type { ResourceRequest } from '../../placement/candidate-search';
import { namedCpuPolicy } from '../../scheduling-rules/numa/cpu-policy';
import { runPrefilters } from '../../scheduling-rules/pipeline/run-prefilters';
import type { MergedAdditions } from '../../scheduling-rules/pipeline/run-prefilters';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import { wantedTarget } from '../../scheduling-rules/request-spec/target-host';
import {
  buildFallbackRequest,
  buildResourceRequest,
  requiredTraitsOf,
} from '../../scheduling-rules/request/resource-request';
import type { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import type { HostSource } from '../ports';
import type { NormalizedRequest, ResolvedReferences } from '../request/normalize-request';
import { normalizeRequest } from '../request/normalize-request';
import type { SelectDestinationsDto } from '../request/request.schema';

/** Throws RequestRefused. */
export const understand = (
  body: SelectDestinationsDto,
  { parts, options }: SchedulerPipeline,
  given: { readonly resolved: ResolvedReferences; readonly newUuid: () => string },
): NormalizedRequest => normalizeRequest(body, { ...options, reads: parts.reads, enabledParts: parts.names, ...given });

/** What the enabled prefilters add to the request. */
export function prefilter(
  spec: RequestSpec,
  { parts, options: { novaCompat, computeRelease } }: SchedulerPipeline,
  { hosts, without }: { readonly hosts: Pick<HostSource, 'cloud'>; readonly without?: string },
): ReturnType<typeof runPrefilters> {
  let traits: ReadonlySet<string> | undefined;
  const prefilters = parts.prefilters.filter(({ part }) => part.name !== without);
  return runPrefilters(prefilters, spec, {
    cloud: hosts.cloud(),
    novaCompat,
    requiredTraits: () => (traits ??= requiredTraitsOf(spec, { novaCompat, computeRelease })),
  });
}

interface Asked extends ReturnType<typeof buildResourceRequest> {
  /** The second query, for pinned CPUs on hosts that only have shared ones. */
  readonly fallback: ResourceRequest | null;
}

export function translate(
  spec: RequestSpec,
  { options }: SchedulerPipeline,
  { added, hosts }: { readonly added: MergedAdditions; readonly hosts: Pick<HostSource, 'targets'> },
): Asked {
  const target = wantedTarget(spec);
  const given = { ...options, targets: target && hosts.targets(target) };
  const hasFallback = namedCpuPolicy(spec.flavor, spec.image) === 'dedicated' && !options.disableFallbackPcpuQuery;
  const fallback = hasFallback ? buildFallbackRequest(spec, added, given) : null;
  return { ...buildResourceRequest(spec, added, given), fallback };
}
