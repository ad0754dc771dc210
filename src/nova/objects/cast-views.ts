// Arguments of the casts of nova-compute: the instances on a host. Casts about host aggregates carry no fact that the
// databases lack, so their arguments are not read.

import type { JsonObject } from '../../platform/values/json-object';
import { FieldReader } from './field-reader';
import type { NovaValue } from './versioned-object';
import { itemsOf, NovaObject, NovaObjectError, readValue } from './versioned-object';

interface NovaHostInstances {
  readonly host: string;
  readonly instanceUuids: readonly string[];
}

/** `update_instance_info`: these instances run on the host, among others. */
export const updatedInstancesOf = (args: JsonObject): NovaHostInstances => ({
  host: textOf(args, 'host_name'),
  instanceUuids: itemsOf(readValue(args['instance_info'])).map((item) => {
    const uuid = new FieldReader(objectOf('instance_info', item), 'instance_info').text('uuid');
    if (uuid === null) throw new NovaObjectError('Field instance_info.uuid is required.');
    return uuid;
  }),
});

/** `delete_instance_info`: this instance has left the host. */
export const deletedInstanceOf = (args: JsonObject): NovaHostInstances => ({
  host: textOf(args, 'host_name'),
  instanceUuids: [textOf(args, 'instance_uuid')],
});

/** `sync_instance_info`: exactly these instances run on the host. */
export function syncedInstancesOf(args: JsonObject): NovaHostInstances {
  const { instance_uuids: uuids } = args;
  if (!Array.isArray(uuids) || !uuids.every((uuid) => typeof uuid === 'string')) {
    throw new NovaObjectError('Argument instance_uuids must be a list of texts.');
  }
  return { host: textOf(args, 'host_name'), instanceUuids: uuids };
}

function objectOf(argument: string, value: NovaValue): NovaObject {
  if (value instanceof NovaObject) return value;
  throw new NovaObjectError(`Argument ${argument} must have versioned objects as its items.`);
}

function textOf(args: JsonObject, name: string): string {
  const { [name]: value } = args;
  if (typeof value === 'string') return value;
  throw new NovaObjectError(`Argument ${name} must be a text.`);
}
