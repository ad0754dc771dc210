// A CADF event (DMTF DSP0262), with OpenStack's names for what CADF leaves open. Every field is listed here; no
// document is copied as a whole.
import { AUDIT_LIMITS } from '../config/limits/processes';
import type { AuditOutcome } from '../values/audit-context';
import { excerptOf } from './excerpt';

const EVENT_TYPE_URI = 'http://schemas.dmtf.org/cloud/audit/1.0/event';
/** CADF's value for an unknown resource. */
export const UNKNOWN = 'unknown';
export const ACCOUNT = 'service/security/account/user';

/** The actor. Unknown fields are absent. */
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
  /** The error code. */
  readonly code?: string | undefined;
  readonly policyType?: string | undefined;
  readonly policyId?: string | undefined;
}

/** The fields that differ between events. */
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

/** `host` is the machine of this process. `typeURI` comes first: it identifies a log line as an event. */
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

/** CADF requires a numeric offset. */
const timeText = (at: Date): string => at.toISOString().replace('Z', '+00:00');

/** Limits the length of a text. */
export function bounded(text: string): string;
export function bounded(text: string | null | undefined): string | undefined;
export function bounded(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  return text.length <= AUDIT_LIMITS.textCharacters ? text : `${text.slice(0, AUDIT_LIMITS.textCharacters)}…`;
}

/** The attachment that shows a document; empty if there is nothing to show. */
export function attachment(name: string, document: object | undefined): readonly Attachment[] {
  if (document === undefined || Object.keys(document).length === 0) return [];
  const { content, isCut } = excerptOf(document, AUDIT_LIMITS.documentCharacters);
  return [{ name, typeURI: 'mime:application/json', content, ...(isCut && { truncated: true }) }];
}
