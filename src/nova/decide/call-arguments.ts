// The arguments of `select_destinations` 4.5.

import type { JsonObject } from '../../platform/values/json-object';
import { canonicalUuid } from '../../platform/values/uuid';
import { requestSpecOf } from '../objects/request-spec';
import { NovaObjectError, readObject } from '../objects/versioned-object';

/** Instances are in the order of the answer. Throws a NovaObjectError for arguments that no supported conductor sends. */
export function callArgumentsOf(args: JsonObject) {
  const { instance_uuids: uuids, spec_obj: spec, return_objects: returnsObjects, return_alternates: alternates } = args;
  if (!Array.isArray(uuids) || uuids.length === 0) {
    throw new NovaObjectError('Argument instance_uuids must be a list of at least one uuid.');
  }
  const instances = uuids.map((uuid: unknown) => (typeof uuid === 'string' ? canonicalUuid(uuid) : undefined));
  if (!instances.every((uuid) => uuid !== undefined)) {
    throw new NovaObjectError('Argument instance_uuids must have uuids only.');
  }
  if (returnsObjects !== true) throw new NovaObjectError('Argument return_objects must be true.');
  return { spec: requestSpecOf(readObject(spec, 'RequestSpec')), instances, returnAlternates: alternates === true };
}
