// GET /scheduler: the enabled parts with their effective options.
import { ANYTHING, COUNT, FLAG, listOf, oneOf, orNull, TEXT } from '../platform/http/answer-schemas';
import type { Members } from '../platform/http/shown';
import { presenterOf, schemasOf } from '../platform/http/shown';
import { closed, named } from '../platform/microversion/versioned-schema';
import type { OptionDeclarations } from '../platform/values/options';
import type { Bound } from '../scheduling-rules/pipeline/bind';
import { DEFAULT_OPTION_GROUP } from '../scheduling-rules/pipeline/options';
import type { SchedulerOptions } from './assemble/scheduler-options';
import type { SchedulerPipeline } from './assemble/scheduler-pipeline';

const PART = named(
  'SchedulerPart',
  closed({
    name: TEXT,
    summary: TEXT,
    source: TEXT,
    options: listOf(closed({ group: TEXT, name: TEXT, value: ANYTHING, default: ANYTHING }, ['value', 'default'])),
  }),
);

const OPTIONS: Members<SchedulerOptions> = {
  max_attempts: [COUNT, ({ maxAttempts }) => maxAttempts],
  max_placement_results: [orNull(COUNT), ({ maxPlacementResults }) => maxPlacementResults],
  candidates_per_host: [COUNT, ({ candidatesPerHost }) => candidatesPerHost],
  host_subset_size: [COUNT, ({ hostSubsetSize }) => hostSubsetSize],
  shuffle_best_same_weighed_hosts: [FLAG, ({ shuffleBestSameWeighedHosts }) => shuffleBestSameWeighedHosts],
  default_availability_zone: [TEXT, ({ defaultAvailabilityZone }) => defaultAvailabilityZone],
  default_schedule_zone: [orNull(TEXT), ({ defaultScheduleZone }) => defaultScheduleZone],
  nova_compat: [FLAG, ({ novaCompat }) => novaCompat],
};

interface Described extends SchedulerPipeline {
  /** Where the hosts come from: reports to the registries, or a service that Berth does not register. */
  readonly hostFacts: 'registries' | 'external';
  /** Placement is a service elsewhere. */
  readonly isRemote: boolean;
}

const GUARANTEES: Members<Described> = {
  host_facts: [oneOf('registries', 'external'), ({ hostFacts }) => hostFacts],
  // In process, claim, group policy and record share one transaction.
  claims: [oneOf('exact', 'repaired'), ({ isRemote }) => (isRemote ? 'repaired' : 'exact')],
  group_policy: [
    oneOf('when_claiming', 'after_claiming', 'when_filtering'),
    ({ options, isRemote }) => (options.novaCompat ? 'when_filtering' : isRemote ? 'after_claiming' : 'when_claiming'),
  ],
  pending_placements: [oneOf('counted', 'ignored'), ({ options }) => (options.novaCompat ? 'ignored' : 'counted')],
};

const [presentOptions, presentGuarantees] = [presenterOf(OPTIONS), presenterOf(GUARANTEES)];

const MEMBERS: Members<Described> = {
  name: [{ const: 'berth' }, () => 'berth'],
  version: [TEXT, ({ options }) => options.version],
  config_revision: [TEXT, ({ revision }) => revision],
  driver: [TEXT, ({ options }) => options.driver],
  drivers: [
    listOf(closed({ name: TEXT, summary: TEXT, source: TEXT })),
    ({ registry }) =>
      [...registry.drivers.values()].map(({ part: { name, summary }, source }) => ({ name, summary, source })),
  ],
  prefilters: [
    listOf(PART),
    ({ parts, registry }) => parts.prefilters.map((bound) => presentPart(bound, registry.prefilters)),
  ],
  filters: [listOf(PART), ({ parts, registry }) => parts.filters.map((bound) => presentPart(bound, registry.filters))],
  weighers: [
    listOf(PART),
    ({ parts, registry }) => parts.weighers.map((bound) => presentPart(bound, registry.weighers)),
  ],
  options: [closed(schemasOf(OPTIONS)), ({ options }) => presentOptions(options)],
  guarantees: [closed(schemasOf(GUARANTEES)), presentGuarantees],
};

export const SCHEDULER = named('Scheduler', closed(schemasOf(MEMBERS)));

const presentDescribed = presenterOf(MEMBERS);
export const presentScheduler = (
  pipeline: SchedulerPipeline,
  from: Pick<Described, 'hostFacts' | 'isRemote'> = { hostFacts: 'registries', isRemote: false },
): object => presentDescribed({ ...pipeline, ...from });

interface DescribedPart {
  readonly name: string;
  readonly summary: string;
  readonly options: OptionDeclarations;
}

function presentPart(
  { part, values }: Bound<DescribedPart>,
  registered: ReadonlyMap<string, { readonly source: string }>,
): object {
  return {
    name: part.name,
    summary: part.summary,
    source: registered.get(part.name)?.source,
    options: Object.entries(part.options).map(([name, declaration]) => ({
      group: declaration.group ?? DEFAULT_OPTION_GROUP,
      name,
      value: values[name],
      default: declaration.default,
    })),
  };
}
