// Query of the list of servers. It has the filters of nova's schema; those that need more than one comparison are refused
// by name. Nova ignores a filter that is not for the caller, and before `strictQueries` a parameter that it does not know.
import { TEXT } from '../../../platform/http/answer-schemas';
import type { QueryParams } from '../../../platform/http/query-params';
import type { SchemaNode } from '../../../platform/microversion/versioned-schema';
import { queryFault, shown } from '../../../platform/values/field-fault';
import type { ComputeFeature } from '../../compute-version';
import { booleanText, PAGE_PARAMETERS, queriedBoolean, refuseOrder, textPattern, timeText } from '../../facade-query';
import { PAGE } from '../../facade.responses';
import type { ComputeRequest } from '../compute-request';
import { forAdministrators } from '../compute-request';
import type { ServerRecord } from './server.entity';
import { addressOf, powerOf, statesOf } from './servers.presenter';
import type { Server } from './servers.service';

type Test = (server: Server) => boolean;

interface Asked extends Pick<ComputeRequest, 'api'> {
  readonly name: string;
  readonly value: string;
  /** All values of a repeated parameter; `value` is the last one. */
  readonly values: readonly string[];
}

type Filter = (asked: Asked) => Test;
type TextOf = (server: Server) => string | null | undefined;

const equal =
  (of: TextOf): Filter =>
  ({ value }) =>
  (server) =>
    of(server) === value;

function matching(of: TextOf): Filter {
  return ({ name, value }) => {
    const matches = textPattern(name, value);
    return (server) => {
      const text = of(server) ?? undefined;
      return text !== undefined && matches(text);
    };
  };
}

/** `judge` decides by how many of the tags the server has. */
const tagged =
  (judge: (found: number, all: number) => boolean): Filter =>
  ({ value }) => {
    const tags = value.split(',');
    return ({ details }) => judge(tags.filter((tag) => details.tags.includes(tag)).length, tags.length);
  };

const changed =
  (isAsked: (changedAtMs: number, timeMs: number) => boolean): Filter =>
  ({ name, value }) => {
    const timeMs = timeText(name, value);
    return ({ updatedAtMs, createdAtMs }) => isAsked(updatedAtMs ?? createdAtMs, timeMs);
  };

const ofStatus: Filter = ({ api, values }) => {
  const states = values.flatMap((status) => statesOf(status));
  if (states.includes(undefined) && api.has('knownStatuses'))
    throw queryFault('status', `is no status of a server: ${shown(values.join(', '))}`);
  return ({ vmState }) => states.includes(vmState);
};

const ofLock: Filter = ({ name, value }) => {
  const isLocked = booleanText(name, value);
  return ({ details }) => details.isLocked === isLocked;
};

/** Deleted servers are forgotten. */
const ofDeletion: Filter = ({ value }) => {
  const isAsked = /^(true|1|t|yes|y|on)$/i.test(value);
  return () => !isAsked;
};

const FILTERS: Readonly<Record<string, Filter>> = {
  user_id: equal(({ userId }) => userId),
  image: equal(({ imageUuid }) => imageUuid),
  uuid: equal(({ uuid }) => uuid),
  host: equal(({ instance }) => instance?.host),
  flavor: equal(({ flavor }) => flavor.id),
  vm_state: equal(({ vmState }) => vmState),
  task_state: equal(({ taskState }) => taskState),
  power_state: equal((server) => String(powerOf(server))),
  name: matching(({ name }) => name),
  description: matching(({ details }) => details.description),
  hostname: matching(({ details }) => details.hostname),
  key_name: matching(({ details }) => details.keyName),
  reservation_id: matching(({ details }) => details.reservationId),
  node: matching(({ instance }) => instance?.node),
  locked_by: matching(({ details }) => details.lockedBy),
  config_drive: matching(({ details }) => details.configDrive),
  ip: matching(addressOf),
  ip6: matching(() => undefined),
  status: ofStatus,
  deleted: ofDeletion,
  locked: ofLock,
  tags: tagged((found, all) => found === all),
  'tags-any': tagged((found) => found > 0),
  'not-tags': tagged((found, all) => found < all),
  'not-tags-any': tagged((found) => found === 0),
  'changes-since': changed((changedAtMs, timeMs) => changedAtMs >= timeMs),
  'changes-before': changed((changedAtMs, timeMs) => changedAtMs <= timeMs),
};

/** Parameters of nova that are refused here. */
const NOT_HERE: ReadonlySet<string> = new Set(
  (
    'access_ip_v4 access_ip_v6 auto_disk_config availability_zone block_device_mapping created_at display_description ' +
    'display_name image_ref info_cache kernel_id launch_index launched_at metadata pci_devices progress ' +
    'ramdisk_id root_device_name security_groups services soft_deleted system_metadata terminated_at'
  ).split(' '),
);

/** Parameters that are no filters. */
const OTHERS: ReadonlySet<string> = new Set([...PAGE_PARAMETERS, 'all_tenants', 'project_id', 'tenant_id']);

const ADDED: Readonly<Record<string, ComputeFeature>> = {
  tags: 'serverTags',
  'tags-any': 'serverTags',
  'not-tags': 'serverTags',
  'not-tags-any': 'serverTags',
  'changes-before': 'changesBefore',
  locked: 'lockedReason',
};

/** The filters for callers without the role of an administrator. */
const FOR_ALL: readonly (readonly [since: ComputeFeature | null, names: readonly string[]])[] = [
  [null, ['reservation_id', 'name', 'status', 'image', 'flavor', 'ip', 'changes-since', ...Object.keys(ADDED)]],
  ['ip6Filter', ['ip6']],
  ['filtersForAll', ['availability_zone', 'config_drive', 'key_name', 'created_at', 'launched_at', 'terminated_at']],
  ['filtersForAll', ['power_state', 'task_state', 'vm_state', 'progress', 'user_id']],
  ['hostnameForAll', ['hostname']],
];

/** Query parameters of the list. */
export const SERVER_LIST: SchemaNode = {
  ...PAGE,
  all_tenants: { ...TEXT, description: 'Of all projects, for administrators.' },
  project_id: { ...TEXT, description: 'Of this project, for administrators.' },
  tenant_id: { ...TEXT, description: 'The same under its old name.' },
  ...Object.fromEntries(Object.keys(FILTERS).map((name) => [name, TEXT])),
};

/** Throws invalid_input with the name of the parameter; forbidden for the servers of all projects. */
export function serverFilterOf(
  query: QueryParams,
  { caller, api }: Pick<ComputeRequest, 'caller' | 'api'>,
): { readonly projectId: string | undefined; readonly tests: readonly Test[] } {
  refuseOrder(query, { key: 'created_at', direction: 'desc' });
  const tests: Test[] = [];
  for (const name of query.names.filter((each) => !OTHERS.has(each))) {
    const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
    const since = Object.hasOwn(ADDED, name) ? ADDED[name] : undefined;
    const isKnown = (filter !== undefined || NOT_HERE.has(name)) && (since === undefined || api.has(since));
    if (!isKnown && api.has('strictQueries')) throw queryFault(name, 'is no query parameter of this list');
    if (!isKnown || !(caller.isAdmin || isForAll(name, api))) continue;
    if (filter === undefined) throw queryFault(name, 'is no filter of this service');
    const values = query.all(name);
    tests.push(filter({ name, value: values.at(-1) ?? '', values, api }));
  }
  return { projectId: projectOf(query, caller), tests };
}

const isForAll = (name: string, api: ComputeRequest['api']): boolean =>
  FOR_ALL.some(([since, names]) => names.includes(name) && (since === null || api.has(since)));

function projectOf(
  query: QueryParams,
  { isAdmin, projectId }: ComputeRequest['caller'],
): ServerRecord['projectId'] | undefined {
  const isAll = queriedBoolean(query, 'all_tenants') === true;
  if (!isAdmin && isAll) throw forAdministrators('all_tenants');
  const requested = isAdmin ? (query.last('project_id') ?? query.last('tenant_id')) : undefined;
  return requested ?? (isAll ? undefined : projectId);
}
