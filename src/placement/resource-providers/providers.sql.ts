// SQL fragments about providers for the statements of other slices, which can then stay single statements.
import type { Uuid } from '../../platform/values/uuid';

export const PROVIDER_COLUMNS = 'p.id AS provider_id, p.uuid AS provider_uuid, p.parent_provider_id';

export interface JoinedProvider {
  readonly provider_id: number | null;
  readonly provider_uuid: Uuid | null;
  readonly parent_provider_id: number | null;
}

/** Joins the provider with a uuid, or the root provider with a name. Takes the next parameter of the statement. */
export const joinProvider = (by: 'uuid' | 'name of root'): string =>
  `LEFT JOIN resource_providers p ON ${by === 'uuid' ? 'p.uuid = ?' : 'p.name = ? AND p.parent_provider_id IS NULL'}`;

/** Null if there is no such provider. */
export function joinedProvider({
  provider_id: id,
  provider_uuid: uuid,
  parent_provider_id: parentId,
}: JoinedProvider): { readonly id: number; readonly uuid: Uuid; readonly isRoot: boolean } | null {
  return id === null || uuid === null ? null : { id, uuid, isRoot: parentId === null };
}
