// Why the Identity service gave no usable answer. The reason is for operators and never contains a token.

type FaultKind =
  /** Connection failed, timeout, or 5xx. */
  | 'unreachable'
  /** The answer does not conform to the Identity API. */
  | 'strange'
  /** Too many requests (429). */
  | 'busy'
  /** The service refuses Berth's own account, or this operation for it. */
  | 'account';

export class IdentityFault extends Error {
  override readonly name = 'IdentityFault';

  constructor(
    readonly kind: FaultKind,
    readonly reason: string,
    /** The pause that the service requests. */
    readonly pauseMs?: number,
  ) {
    super(reason);
  }
}
