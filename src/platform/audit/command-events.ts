// Events of what is changed by a command, without the service: whoever is logged in on the machine did it.
import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import type { PlatformConfig } from '../config/platform-config';
import { createLogger } from '../logging/logger';
import { ACCOUNT, attachment, auditEvent, bounded, UNKNOWN } from './audit-event';
import { AuditLog } from './audit-log';

interface AuditedCommand {
  readonly action: string;
  /** Kind of resource. */
  readonly target: string;
  readonly id: string;
  /** What was asked for: only what may be shown. */
  readonly requested: object;
}

/** Does the work and writes down how it ended. Throws AuditFileRefused, before anything is done, and what `work` throws. */
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

/** A container may run as a user who has no name. */
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
