// Makes an event of every attempted HTTP write: the target from the route's audit rule, the initiator from the request,
// and the change from the audit context.
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Principal } from '../auth/principal';
import { AUDIT_LIMITS } from '../config/limits/processes';
import type { TriedRequest, TriedWrite, WriteAudit } from '../http/audited-write';
import type { AuditedRoute, AuditRule } from '../http/route.decorators';
import { maskTokens } from '../logging/redaction';
import type { AuditNote } from '../values/audit-context';
import type { Attachment, AuditEvent, AuditReason, Initiator } from './audit-event';
import { ACCOUNT, attachment, auditEvent, bounded, UNKNOWN } from './audit-event';
import { excerptOf } from './excerpt';

interface EventSink {
  record(event: AuditEvent): void;
}

interface WriteEventSettings {
  /** Whether accepted host reports are events. */
  readonly host_reports: boolean;
}

export class WriteEvents implements WriteAudit {
  private readonly host = hostname();

  constructor(
    private readonly sink: EventSink,
    private readonly settings: WriteEventSettings,
  ) {}

  tried(write: TriedWrite): void {
    const route = routeOf(write.request);
    if (route === null || write.noted.isDryRun === true) return;
    if (route.isReport === true && write.outcome === 'success' && !this.settings.host_reports) return;
    this.sink.record(eventOf(write, route, this.host));
  }
}

/** The actions of requests without a route, by method. */
const UNROUTED_ACTIONS: Readonly<Record<string, string>> = {
  POST: 'create',
  PUT: 'update',
  PATCH: 'update',
  DELETE: 'delete',
};

interface TriedRoute extends AuditRule {
  /** Path parameters that name the target. None: the request creates its target, or has no specific one. */
  readonly id: readonly string[];
}

/** Null: the route changes nothing. */
function routeOf({ method, routeOptions, berth }: TriedRequest): TriedRoute | null {
  const { audit } = (routeOptions?.config ?? {}) as AuditedRoute;
  if (audit === null) return null;
  return audit === undefined
    ? { action: UNROUTED_ACTIONS[method] ?? UNKNOWN, target: berth.surface, id: [], shows: [] }
    : { ...audit, id: firstParametersOf(routeOptions?.url ?? '') };
}

/** The consecutive parameters of a path before the next fixed segment. */
function firstParametersOf(url: string): readonly string[] {
  const [, run = ''] = /^[^:]*((?::\w+\/?)*)/.exec(url) ?? [];
  return run.match(/\w+/g) ?? [];
}

function eventOf(write: TriedWrite, route: TriedRoute, host: string): AuditEvent {
  const { berth } = write.request;
  return auditEvent(
    {
      id: randomUUID(),
      at: new Date(),
      action: write.isCreation ? route.action.replace(/^update/, 'create') : route.action,
      outcome: write.outcome,
      reason: reasonOf(write),
      initiator: initiatorOf(write.request),
      target: { typeURI: `service/compute/${route.target}`, ...targetOf(write, route) },
      requestPath: maskTokens(berth.path).slice(0, AUDIT_LIMITS.pathCharacters),
      microversion: berth.api?.text,
      attachments: attachmentsOf(write, route),
    },
    host,
  );
}

function reasonOf({ status, noted }: TriedWrite): AuditReason {
  if (status === undefined) return { reasonType: 'client', reasonCode: 'gone' };
  return {
    reasonType: 'HTTP',
    reasonCode: String(status),
    code: noted.errorCode,
    ...(noted.policyRule !== undefined && { policyType: 'policy rule', policyId: noted.policyRule }),
  };
}

function initiatorOf({ berth, headers }: TriedRequest): Initiator {
  const { principal, requestId, globalRequestId, remoteAddress } = berth;
  return {
    typeURI: ACCOUNT,
    id: bounded(principal?.userId) || UNKNOWN,
    ...(principal !== undefined && accountOf(principal)),
    request_id: requestId,
    global_request_id: globalRequestId ?? undefined,
    host: { address: bounded(remoteAddress), agent: bounded(headers?.['user-agent']) },
  };
}

function accountOf({ identity, projectId, roles, systemScope, domainId, service }: Principal): object {
  return {
    name: bounded(identity?.userName),
    domain_id: bounded(identity?.userDomain.id),
    project_id: bounded(projectId),
    project_name: bounded(identity?.projectName),
    project_domain_id: bounded(identity?.projectDomain.id),
    scope_domain_id: bounded(domainId),
    system_scope: bounded(systemScope),
    roles: roles.slice(0, AUDIT_LIMITS.roles).map((role) => bounded(role)),
    service_user_id: bounded(service?.userId),
  };
}

function targetOf(
  { request, location, noted: { requested } }: TriedWrite,
  { id, shows }: TriedRoute,
): { readonly id: string; readonly name: string | undefined } {
  const params = (request.params ?? {}) as Readonly<Record<string, string>>;
  const named = id.map((parameter) => params[parameter] ?? '').join('/');
  const made = id.length === 0 && location !== undefined ? decodeURIComponent(location.split('/').at(-1) ?? '') : '';
  const { name } = shown(requested, shows) as { readonly name?: unknown };
  return { id: bounded(named || made || UNKNOWN), name: typeof name === 'string' ? bounded(name) : undefined };
}

/** The requested values, unless the values before and after the write contain them. */
function attachmentsOf({ outcome, isCreation, noted }: TriedWrite, { shows }: AuditRule): readonly Attachment[] {
  const { before, after } = changed(noted, shows);
  const saysItAll = outcome === 'success' && after !== undefined && (before !== undefined || isCreation);
  return [
    ...(saysItAll ? [] : attachment('requested', shown(noted.requested, shows))),
    ...attachment('before', before),
    ...attachment('after', after),
  ];
}

/** The fields of a document that can be shown. */
function shown(document: unknown, shows: AuditRule['shows']): object {
  if (typeof document !== 'object' || document === null) return {};
  if (shows === 'all') return document;
  const values = document as Readonly<Record<string, unknown>>;
  const known = shows.filter((name) => Object.hasOwn(values, name) && values[name] !== undefined);
  return Object.fromEntries(known.map((name) => [name, values[name]]));
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields that differ before and after; if only one side is known, that side unchanged. */
function changed(
  { before, after }: AuditNote,
  shows: AuditRule['shows'],
): { readonly before?: object | undefined; readonly after?: object | undefined } {
  const [old, now] = [before && (shown(before, shows) as Fields), after && (shown(after, shows) as Fields)];
  if (old === undefined || now === undefined) return { before: old, after: now };
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter((name) => differ(old[name], now[name]));
  const of = (fields: Fields): object => Object.fromEntries(names.map((name) => [name, fields[name]]));
  return { before: of(old), after: of(now) };
}

/** Values that are too large to compare count as different. */
function differ(one: unknown, other: unknown): boolean {
  const [left, right] = [one, other].map((value) => excerptOf(value, AUDIT_LIMITS.documentCharacters));
  return (
    left?.isCut === true || right?.isCut === true || JSON.stringify(left?.content) !== JSON.stringify(right?.content)
  );
}
