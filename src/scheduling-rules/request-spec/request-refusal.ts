// A request that is refused because of its content. Pure; the service attaches the decision.

import type { SchedulerCode } from '../../platform/values/errors';
import { DomainError } from '../../platform/values/errors';
import { fieldFault } from '../../platform/values/field-fault';

type RefusalCode = Extract<SchedulerCode, 'scheduler.invalid_request' | 'scheduler.unsupported'>;

/** `field` is the path of the invalid field in the request's own spelling; `why` follows it in the message. */
export class RequestRefused extends DomainError {
  constructor(
    override readonly code: RefusalCode,
    readonly field: string,
    readonly why: string,
  ) {
    super(code, fieldFault(field, why));
  }
}

/** The request contradicts itself or the contract. */
export const invalid = (field: string, why: string): RequestRefused =>
  new RequestRefused('scheduler.invalid_request', field, why);

/** Kinds of objects that a request names. */
export type NamedKind = 'flavor' | 'image' | 'server group' | 'zone';

/** No object has this name. */
export class UnresolvedName extends RequestRefused {
  constructor(
    field: string,
    readonly what: NamedKind,
    readonly wanted: string,
  ) {
    super('scheduler.invalid_request', field, `names the ${what} '${wanted}', which does not exist`);
  }
}

/** The name matches no object, or several. */
export const unresolved = (field: string, what: NamedKind, name: string, isAmbiguous = false): RequestRefused =>
  isAmbiguous
    ? invalid(field, `names several ${what}s by '${name}'; use the uuid`)
    : new UnresolvedName(field, what, name);

/** The request is valid but needs an unsupported feature. It is never ignored instead. */
export const unsupported = (field: string, why: string): RequestRefused =>
  new RequestRefused('scheduler.unsupported', field, why);
