// Events of changes by a command, without the service. The initiator is the operating system user.
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { PlatformConfig } from '../config/platform-config';
import { createLogger } from '../logging/logger';
import { ACCOUNT, attachment, auditEvent, bounded, UNKNOWN } from './audit-event';
import { AuditLog } from './audit-log';

interface AuditedCommand {
  readonly action: string;
  /** The type of the resource. */
  readonly target: string;
  readonly id: string;
  /** The requested values, only those that can be shown. */
  readonly requested: object;
}

/** Runs the work and records its outcome. Throws StartRefused before the work starts, and the errors of `work`. */
export async function audited(
  { audit, cwd }: Pick<PlatformConfig, 'audit' | 'cwd'>,
  command: AuditedCommand,
  work: () => Promise<void>,
): Promise<void> {
  if (!audit.enabled) return work();
  const log = await AuditLog.open({ ...audit, cwd }, createLogger({ level: 'error' }));
  try {
    await work();
    log.record(eventOf(command, true));
  } catch (error) {
    log.record(eventOf(command, false));
    throw error;
  } finally {
    await log.close();
  }
}

/** In a container, the user can have no name. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? UNKNOWN}`;
  }
}

function eventOf({ action, target, id, requested }: AuditedCommand, isDone: boolean): ReturnType<typeof auditEvent> {
  const host = hostname();
  return auditEvent(
    {
      id: randomUUID(),
      at: new Date(),
      action,
      outcome: isDone ? 'success' : 'failure',
      reason: { reasonType: 'exit status', reasonCode: isDone ? '0' : '1' },
      initiator: { typeURI: ACCOUNT, id: accountName(), host: { address: host, agent: 'berth' } },
      target: { typeURI: target, id: bounded(id), name: bounded(id) },
      attachments: attachment('requested', requested),
    },
    host,
  );
}
