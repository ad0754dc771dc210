// Query of the list of servers. It has the filters of nova's schema that need one comparison; all other parameters are
// refused by name, at each version: a list without the requested filter would have servers that the client excluded.
import type { PageQuery } from '../../../compute/registry-page';
import { knownQuery } from '../../../compute/registry-page';
import { TEXT } from '../../../platform/http/answer-schemas';
import type { QueryParams } from '../../../platform/http/query-params';
import type { SchemaNode } from '../../../platform/microversion/versioned-schema';
import {
  booleanText,
  PAGE_PARAMETERS,
  pageQueryOf,
  queriedBoolean,
  refuseOrder,
  textPattern,
} from '../../practice-cloud-query';
import { PAGE } from '../../practice-cloud.responses';
import type { ComputeCaller } from '../compute-request';
import { forAdministrators } from '../compute-request';
import { addressOf, powerOf, statesOf } from './servers.presenter';
import type { Server } from './servers.service';

type Test = (server: Server) => boolean;

interface Asked {
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

const ofStatus: Filter = ({ values }) => {
  const states = values.flatMap(statesOf);
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
};

/** Parameters that are no filters. */
const OTHERS: readonly string[] = [...PAGE_PARAMETERS, 'all_tenants', 'project_id', 'tenant_id'];

/** Filters that show where servers are. */
const FOR_ADMINISTRATORS: readonly string[] = ['host', 'node'];

/** Query parameters of the list. */
export const SERVER_LIST: SchemaNode = {
  ...PAGE,
  all_tenants: { ...TEXT, description: 'Of all projects, for administrators.' },
  project_id: { ...TEXT, description: 'Of this project, for administrators.' },
  tenant_id: { ...TEXT, description: 'The same under its old name.' },
  ...Object.fromEntries(Object.keys(FILTERS).map((name) => [name, TEXT])),
};

/** Throws invalid_input with the name of the parameter; forbidden for hosts and for servers of other projects. */
export function serverFilterOf(
  queryText: string,
  caller: ComputeCaller,
): PageQuery & { readonly projectId: string | undefined; readonly tests: readonly Test[] } {
  const query = knownQuery(queryText, [...OTHERS, ...Object.keys(FILTERS)]);
  refuseOrder(query, { key: 'created_at', direction: 'desc' });
  const tests = Object.entries(FILTERS).flatMap(([name, filter]) => {
    const values = query.all(name);
    if (values.length === 0) return [];
    if (FOR_ADMINISTRATORS.includes(name) && !caller.isAdmin) throw forAdministrators(name);
    return filter({ name, values, value: values.at(-1) ?? '' });
  });
  return { ...pageQueryOf(query), projectId: projectOf(query, caller), tests };
}

function projectOf(query: QueryParams, { isAdmin, projectId }: ComputeCaller): string | undefined {
  const isAll = queriedBoolean(query, 'all_tenants') === true;
  if (!isAdmin && isAll) throw forAdministrators('all_tenants');
  const requested = query.last('project_id') ?? query.last('tenant_id');
  if (!isAdmin && requested !== undefined && requested !== projectId) throw forAdministrators('project_id');
  return requested ?? (isAll ? undefined : projectId);
}
