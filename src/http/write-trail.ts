// Follows every request that may change something until it is known what became of it, and tells the audit log once:
// when the answer or the refusal is decided, whether or not the client still waits for it.
import type { FastifyRequest } from 'fastify';
import type { AuditNote, AuditOutcome, AuditTrail } from '../domain/audit-trail';

/** The request, as far as it could be read: what never came to a route has neither route nor parameters. */
export type TriedRequest = Pick<FastifyRequest, 'berth' | 'method'> &
  Partial<Pick<FastifyRequest, 'routeOptions' | 'params' | 'headers'>>;

/** A write that was carried out, refused, or given up. */
export interface TriedWrite {
  readonly request: TriedRequest;
  readonly outcome: AuditOutcome;
  /** Of the answer; undefined where nobody waited for one. */
  readonly status: number | undefined;
  /** It made the thing that it names. */
  readonly isCreation: boolean;
  /** Path of what was made, without prefix, encoded. */
  readonly location: string | undefined;
  readonly noted: AuditNote;
}

/** The audit log, as the edge knows it. */
export interface WriteAudit {
  tried(write: TriedWrite): void;
}

export const WRITING_METHODS: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** Undefined for what only reads, by its method, and where nobody audits. */
export const writeTrailOf = (request: TriedRequest, audit: WriteAudit | undefined): WriteTrail | undefined =>
  audit !== undefined && WRITING_METHODS.has(request.method) ? new WriteTrail(request, audit) : undefined;

export class WriteTrail implements AuditTrail {
  private noted: AuditNote = {};
  private isTold = false;

  constructor(
    private readonly request: TriedRequest,
    private readonly audit: WriteAudit,
  ) {}

  note(noted: AuditNote): void {
    this.noted = { ...this.noted, ...noted };
  }

  /** The first time counts: what fails while an answer is sent undoes nothing. */
  answered(status: number, location?: string): void {
    this.tell({ status, outcome: outcomeOf(status, this.noted), isCreation: status === 201, location });
  }

  /** The caller hung up, and whoever worked for it put the work down somewhere. */
  abandoned(): void {
    this.tell({ status: undefined, outcome: 'unknown', isCreation: false, location: undefined });
  }

  private tell(end: Omit<TriedWrite, 'request' | 'noted'>): void {
    if (this.isTold) return;
    this.isTold = true;
    this.audit.tried({ request: this.request, noted: this.noted, ...end });
  }
}

/** A failure of our own may have struck before or behind the commit. */
function outcomeOf(status: number, { isOutcomeUnknown }: AuditNote): AuditOutcome {
  if (isOutcomeUnknown === true || status === 500) return 'unknown';
  return status < 400 ? 'success' : 'failure';
}
