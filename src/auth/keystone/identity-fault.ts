// Why the Identity service gave no answer that means anything. The reason is for operators: it never holds a token.

type FaultKind =
  /** Not reached, not in time, or 5xx. */
  | 'unreachable'
  /** It answers something that the Identity API does not say. */
  | 'strange'
  /** It asks for fewer questions. */
  | 'busy'
  /** It does not let Berth's own account in, or not do this. */
  | 'account';

export class IdentityFault extends Error {
  override readonly name = 'IdentityFault';

  constructor(
    readonly kind: FaultKind,
    readonly reason: string,
    /** So long it asks not to be asked again. */
    readonly pauseMs?: number,
  ) {
    super(reason);
  }
}
