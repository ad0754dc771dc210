// The request class: everything that the search, the filters and the weighers read of a request, as text.

import { filterSchedulerDriver } from '../../scheduling-rules/drivers/filter-scheduler.driver';
import { BUILT_IN_FILTERS } from '../../scheduling-rules/filters';
import { skipsFilters } from '../../scheduling-rules/pipeline/preselect';
import type { InstanceGroup, RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import { isRead } from '../../scheduling-rules/request/fields-without-effect';
import { queryString } from '../../scheduling-rules/request/query-string';
import { BUILT_IN_WEIGHERS } from '../../scheduling-rules/weighers';
import type { SchedulerPipeline } from '../assemble/scheduler-pipeline';
import type { DecisionRun } from '../decide/decision-run';
import type { Asked } from '../decide/placement-search';

const BUILT_IN: ReadonlySet<object> = new Set([...BUILT_IN_FILTERS, ...BUILT_IN_WEIGHERS]);

/** A part that is not built in and does not declare what it reads is asked about every host every time. */
export function areKeptFor({ parts }: SchedulerPipeline): boolean {
  const rules = [...parts.filters, ...parts.weighers];
  return (
    parts.driver === filterSchedulerDriver && rules.every(({ part }) => BUILT_IN.has(part) || part.reads.length > 0)
  );
}

/**
 * The request without its server group, which is a condition of the one decision: its members change with every placement,
 * and only the hosts that run them are judged differently.
 */
export function plainOf(asked: Asked): Asked {
  const { spec, plan } = asked;
  if (spec.instanceGroup === null) return asked;
  const { group: _group, ...schedulerHints } = spec.schedulerHints;
  return { spec: { ...spec, instanceGroup: null, schedulerHints }, plan };
}

/** A group of affinity with members judges every host, and a part that is not built in can read anything of a group. */
function isCondition(
  { policy, hosts }: InstanceGroup,
  { instanceUuids }: RequestSpec,
  { parts }: SchedulerPipeline,
): boolean {
  if (policy === 'affinity' && (hosts.size > 0 || instanceUuids.length > 1)) return false;
  return [...parts.filters, ...parts.weighers].every(({ part }) => BUILT_IN.has(part) || !readsGroups(part.reads));
}

function readsGroups(reads: readonly string[]): boolean {
  const all = new Set(reads);
  return GROUP_FIELDS.some((field) => isRead(all, field)) || reads.some((field) => field.startsWith('instance_group.'));
}

const GROUP_FIELDS = ['instance_group', 'scheduler_hints.group', 'scheduler_hints'];

/**
 * Null: the hosts are asked anew. So it is for requests with a bound, a second query, forced hosts, or a group that is no
 * condition, and where a reader wants the reason of every host. `asked` is without its server group, `group`.
 */
export function classKeyOf(
  { command, pipeline, env }: DecisionRun,
  { spec, plan }: Asked,
  group: InstanceGroup | null,
): string | null {
  const { request, fallback, explains, perRoot } = plan;
  if (request.limit !== null || fallback !== null || explains === 'always' || command.mode === 'all') return null;
  if (spec.checkType !== null || skipsFilters(spec)) return null;
  if (group !== null && !isCondition(group, spec, pipeline)) return null;
  if (env.novaCompat && spec.numaTopology !== null && spec.instanceUuids.length > 1) return null;
  return JSON.stringify([queryString(request), perRoot, readOf(spec, pipeline.parts.reads)], withMaps);
}

/** Of no rule's interest. */
const NOT_READ: ReadonlySet<string> = new Set(['instanceUuid', 'instanceUuids', 'minCount', 'ignoreHosts']);
/** By their names in the parts' `reads`: only some parts read them. */
const READ_BY_SOME = { projectId: 'project_id', userId: 'user_id', retry: 'retry' } as const;

/** The request without what no part reads. */
function readOf(spec: RequestSpec, reads: ReadonlySet<string>): object {
  const fields = [...reads];
  const isWanted = (field: string): boolean => fields.some((each) => each === field || each.startsWith(`${field}.`));
  const left = new Set([
    ...NOT_READ,
    ...Object.entries(READ_BY_SOME).flatMap(([key, field]) => (isWanted(field) ? [] : key)),
  ]);
  const { flavor, image } = spec;
  return {
    ...Object.fromEntries(Object.entries(spec).filter(([key]) => !left.has(key))),
    flavor: { ...flavor, name: isWanted('flavor.name') ? flavor.name : null },
    image: image && {
      ...image,
      id: isWanted('image.id') ? image.id : null,
      name: isWanted('image.name') ? image.name : null,
    },
  };
}

const withMaps = (_key: string, value: unknown): unknown =>
  value instanceof Map || value instanceof Set ? [...(value as Iterable<unknown>)] : value;
