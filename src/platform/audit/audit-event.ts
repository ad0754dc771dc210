// An event in the vocabulary of CADF (DMTF DSP0262), with the names that OpenStack's services give to what CADF leaves
// open. Everything in it is named here; nothing is copied whole.
import { AUDIT_LIMITS } from '../config/limits';
import type { AuditOutcome } from '../values/audit-trail';
import { excerptOf } from './excerpt';

const EVENT_TYPE_URI = 'http://schemas.dmtf.org/cloud/audit/1.0/event';
/** What CADF calls that of which nothing more is known. */
export const UNKNOWN = 'unknown';
export const ACCOUNT = 'service/security/account/user';

/** Whoever acts. What is not known is left out. */
export interface Initiator {
  readonly typeURI: string;
  readonly id: string;
  readonly [detail: string]: unknown;
}

interface Target {
  readonly typeURI: string;
  readonly id: string;
  readonly name?: string | undefined;
}

export interface Attachment {
  readonly name: string;
  readonly typeURI: string;
  readonly content: unknown;
  readonly truncated?: true;
}

export interface AuditReason {
  readonly reasonType: string;
  readonly reasonCode: string;
  /** What the error is called. */
  readonly code?: string | undefined;
  readonly policyType?: string | undefined;
  readonly policyId?: string | undefined;
}

/** What differs from event to event. */
interface EventFacts {
  readonly id: string;
  readonly at: Date;
  readonly action: string;
  readonly outcome: AuditOutcome;
  readonly reason: AuditReason;
  readonly initiator: Initiator;
  readonly target: Target;
  readonly requestPath?: string | undefined;
  readonly microversion?: string | undefined;
  readonly attachments: readonly Attachment[];
}

export type AuditEvent = ReturnType<typeof auditEvent>;

/** `host` is where this process runs. `typeURI` comes first: that is how a line is known for an event. */
export function auditEvent({ id, at, attachments, ...facts }: EventFacts, host: string) {
  return {
    typeURI: EVENT_TYPE_URI,
    eventType: 'activity',
    id,
    eventTime: timeText(at),
    ...facts,
    observer: { typeURI: 'service/compute', id: host, name: 'berth', host: { id: host } },
    ...(attachments.length > 0 && { attachments }),
  } as const;
}

/** CADF wants the offset in figures. */
const timeText = (at: Date): string => at.toISOString().replace('Z', '+00:00');

/** A text of bounded length. */
export function bounded(text: string): string;
export function bounded(text: string | null | undefined): string | undefined;
export function bounded(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  return text.length <= AUDIT_LIMITS.textCharacters ? text : `${text.slice(0, AUDIT_LIMITS.textCharacters)}…`;
}

/** What an event shows of a document; undefined where there is nothing to show. */
export function attachment(name: string, document: object | undefined): readonly Attachment[] {
  if (document === undefined || Object.keys(document).length === 0) return [];
  const { content, isCut } = excerptOf(document, AUDIT_LIMITS.documentCharacters);
  return [{ name, typeURI: 'mime:application/json', content, ...(isCut && { truncated: true }) }];
}
