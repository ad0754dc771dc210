// A request that cannot be decided because of what it says. Pure; the service attaches the decision and the status.

export type RefusalCode = 'scheduler.invalid_request' | 'scheduler.unsupported';

/** `field` is the path of the offending field in the request's own spelling; the message starts with it. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  constructor(
    readonly code: RefusalCode,
    readonly field: string,
    why: string,
  ) {
    super(`${field}: ${why}`);
  }
}

/** The request contradicts itself or the contract. */
export const invalid = (field: string, why: string): RequestRefused =>
  new RequestRefused('scheduler.invalid_request', field, why);

/** The name says nothing, or too little. */
export const unresolved = (field: string, what: string, name: string, isAmbiguous = false): RequestRefused =>
  invalid(
    field,
    isAmbiguous
      ? `several ${what}s are called '${name}'; name the one that is meant by its uuid`
      : `there is no ${what} '${name}'`,
  );

/** The request is meaningful, and asks for something this scheduler does not do. It is never ignored instead. */
export const unsupported = (field: string, why: string): RequestRefused =>
  new RequestRefused('scheduler.unsupported', field, why);
