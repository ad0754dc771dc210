// Options of the scheduler as a whole, with nova's names and defaults, joined with those of the rooms below it.

import { REGISTRY_OPTIONS } from '../compute/options';
import { PLACEMENT_OPTIONS } from '../placement/options';
import { SEARCH_LIMITS } from '../platform/config/limits/placement';
import { SCHEDULER_LIMITS } from '../platform/config/limits/scheduler';
import type { Config } from '../platform/config/platform-config';
import { PLATFORM_OPTIONS } from '../platform/config/platform-options';
import { boolean, integer, list, multi, text } from '../platform/values/options';
import { DEFAULT_DRIVER } from '../scheduling-rules/drivers';
import { RULES_OPTIONS } from '../scheduling-rules/options';
import { NEWEST_COMPUTES } from '../scheduling-rules/request/traits-by-release';

const SCHEDULER_OPTIONS = {
  driver: text(DEFAULT_DRIVER, 'Driver that selects hosts: `filter_scheduler`, `chance`, or one of a plugin.', {
    synonyms: {
      caching_scheduler: 'filter_scheduler',
      'nova.scheduler.filter_scheduler.FilterScheduler': 'filter_scheduler',
      'nova.scheduler.chance.ChanceScheduler': 'chance_scheduler',
      'nova.scheduler.caching_scheduler.CachingScheduler': 'filter_scheduler',
    },
  }),
  max_attempts: integer(3, 'Hosts tried for one instance until the request fails.', { min: 1, max: 1_000 }),
  max_placement_results: integer(
    0,
    'Hosts that the scheduler requests from placement for one request. 0: all; 1 000 with `nova_compat` or a remote placement.',
    { min: 0, max: 1_000_000 },
  ),
  candidates_per_host: integer(
    SEARCH_LIMITS.candidatesPerHost,
    'Candidates requested per host at first. If all of them fail, the scheduler requests further ones.',
    { min: 1, max: SEARCH_LIMITS.furtherCandidatesPerHost },
  ),
  nova_compat: boolean(false, 'Decide as nova does where Berth decides better, for side-by-side runs.'),
  compute_release: integer(
    NEWEST_COMPUTES,
    'Oldest release of nova-compute in the cloud, by major version (26 is Zed). Traits that its hosts do not report, ' +
      'such as those of TPM models before 30, are not required. `[nova] release` is the default with `[nova] enabled`.',
    { min: 26, max: 99 },
  ),
  verify_sample: integer(
    1_000,
    'One in this many decisions from the kept hosts of a request class is compared with one that asks every host. 0: none.',
    { min: 0, max: 1_000_000 },
  ),
  pending_ttl: integer(
    600,
    'Seconds for which a placement that no report counts is an I/O operation of its host; in nova’s place, for which it counts.',
    { min: 1, max: 86_400 },
  ),
} as const;

const FILTER_SCHEDULER_OPTIONS = {
  available_filters: multi(
    ['nova.scheduler.filters.all_filters'],
    'Filters that can be enabled: `nova.scheduler.filters.all_filters` for all built in, or names.',
  ),
  ...RULES_OPTIONS.filter_scheduler,
  weight_classes: list(
    ['nova.scheduler.weights.all_weighers'],
    'Weighers that run: `nova.scheduler.weights.all_weighers` for all built in, or names.',
  ),
  host_subset_size: integer(1, 'One of this many best hosts is drawn at random.', { min: 1, max: 1_000_000 }),
  shuffle_best_same_weighed_hosts: boolean(false, 'Draw at random among the best hosts of equal weight.'),
} as const;

/** The options of the scheduler and of the rooms below it, by group. */
export const SCHEDULER_GROUPS = {
  ...PLATFORM_OPTIONS,
  DEFAULT: {
    ...PLATFORM_OPTIONS.DEFAULT,
    default_schedule_zone: text(null, 'Zone of requests that name none.'),
    allow_resize_to_same_host: boolean(
      false,
      'A resize can stay on its host, which then needs room for the old and the new flavor until the confirmation.',
    ),
    ...RULES_OPTIONS.DEFAULT,
    ...REGISTRY_OPTIONS.DEFAULT,
  },
  berth: {
    plugins: list(
      [],
      'Paths of modules with own filters, weighers, prefilters and drivers, relative to the working directory.',
    ),
    ...PLATFORM_OPTIONS.berth,
    ...PLACEMENT_OPTIONS.berth,
    ...REGISTRY_OPTIONS.berth,
    decisions_max_count: integer(SCHEDULER_LIMITS.decisionsKept, 'Decisions kept; 0 keeps none.', {
      min: 0,
      max: 10_000_000,
    }),
    decisions_max_age_seconds: integer(SCHEDULER_LIMITS.decisionAgeSeconds, 'How long decisions are kept.', {
      min: 60,
      max: 366 * 86_400,
    }),
  },
  placement: { ...PLACEMENT_OPTIONS.placement, ...PLATFORM_OPTIONS.placement },
  scheduler: SCHEDULER_OPTIONS,
  filter_scheduler: FILTER_SCHEDULER_OPTIONS,
  metrics: {},
  pci: RULES_OPTIONS.pci,
  compute: RULES_OPTIONS.compute,
  workarounds: RULES_OPTIONS.workarounds,
} as const;

export type SchedulerGroups = typeof SCHEDULER_GROUPS;
export type SchedulerConfig = Config<SchedulerGroups>;
