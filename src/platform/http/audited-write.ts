// Tracks every request that can change data, and reports it to the audit log once: when the answer or refusal is
// decided, even if the client has disconnected.
import type { FastifyRequest } from 'fastify';
import type { AuditContext, AuditNote, AuditOutcome } from '../values/audit-context';

/** The readable part of the request; without a route it has neither route options nor parameters. */
export type TriedRequest = Pick<FastifyRequest, 'berth' | 'method'> &
  Partial<Pick<FastifyRequest, 'routeOptions' | 'params' | 'headers'>>;

/** A write that was executed, refused or abandoned. */
export interface TriedWrite {
  readonly request: TriedRequest;
  readonly outcome: AuditOutcome;
  /** Status of the answer; undefined if the client disconnected before. */
  readonly status: number | undefined;
  /** The request created its target. */
  readonly isCreation: boolean;
  /** Path of the created object, without prefix, encoded. */
  readonly location: string | undefined;
  readonly noted: AuditNote;
}

/** The edge's interface to the audit log. */
export interface WriteAudit {
  tried(write: TriedWrite): void;
}

export const WRITING_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Undefined for reading methods, and if writes are not audited. */
export const auditedWriteOf = (request: TriedRequest, audit: WriteAudit | undefined): AuditedWrite | undefined =>
  audit !== undefined && WRITING_METHODS.has(request.method) ? new AuditedWrite(request, audit) : undefined;

export class AuditedWrite implements AuditContext {
  private noted: AuditNote = {};
  private namesReasons = false;

  constructor(
    private readonly request: TriedRequest,
    private readonly audit: WriteAudit,
  ) {}

  note(noted: AuditNote): void {
    this.noted = { ...this.noted, ...noted };
  }

  /** Only the first call counts: a failure while the answer is sent undoes nothing. */
  answered(status: number, location?: string): void {
    this.report({ status, outcome: outcomeOf(status, this.noted), isCreation: status === 201, location });
  }

  /** The client disconnected, and its work was cancelled at an unknown point. */
  abandoned(): void {
    this.report({ status: undefined, outcome: 'unknown', isCreation: false, location: undefined });
  }

  private report(end: Omit<TriedWrite, 'request' | 'noted'>): void {
    if (this.namesReasons) return;
    this.namesReasons = true;
    this.audit.tried({ request: this.request, noted: this.noted, ...end });
  }
}

/** An internal error can occur before or after the commit. */
function outcomeOf(status: number, { isOutcomeUnknown }: AuditNote): AuditOutcome {
  if (isOutcomeUnknown === true || status === 500) return 'unknown';
  return status < 400 ? 'success' : 'failure';
}
