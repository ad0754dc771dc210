// The failure of a call, as oslo.messaging's clients rebuild it.

import type { JsonObject } from '../../platform/values/json-object';

/** A Python exception. The client's constructor must accept the arguments. */
export interface NovaFailure {
  readonly class: string;
  /** Only `nova.exception` and `builtins` become an exception of that class; others become a RemoteError. */
  readonly module: string;
  readonly message: string;
  /** Default: the message. Its first text is what nova shows to the user. */
  readonly args?: readonly unknown[];
  readonly kwargs?: JsonObject;
}

/** The member `failure` of a reply, which is a JSON text. Without traceback: it would show files of this service. */
export const failureOf = ({ class: name, module, message, args = [message], kwargs = {} }: NovaFailure): string =>
  JSON.stringify({ class: name, module, message, tb: [], args, kwargs });

/** The refusals by capacity and by the user's request. `reason` is what the user reads, in one line. */
export function noValidHost(reason: string): NovaFailure {
  const message = `No valid host was found. ${reason}`;
  return { class: 'NoValidHost', module: 'nova.exception', message, kwargs: { reason, code: 500 } };
}

/** Another writer changed the allocations of the instance during the call. */
export function allocationUpdateFailed(consumerUuid: string, error: string): NovaFailure {
  const message = `Failed to update allocations for consumer ${consumerUuid}. Error: ${error}`;
  const kwargs = { consumer_uuid: consumerUuid, error, code: 500 };
  return { class: 'AllocationUpdateFailed', module: 'nova.exception', message, kwargs };
}

/** An object of the request has an unknown major version or another form. The conductor raises a RemoteError. */
export const incompatibleObject = (message: string): NovaFailure => ({
  class: 'IncompatibleObjectVersion',
  module: 'oslo_versionedobjects.exception',
  message,
});

/** A fault of this service. The conductor raises a RuntimeError. */
export const runtimeError = (message: string): NovaFailure => ({ class: 'RuntimeError', module: 'builtins', message });
