// Names of host statuses for operators.
import type { HostStatus } from '../service/reports';

export const STATUS_NAMES: Readonly<Record<HostStatus, string>> = {
  up: 'up',
  disabled: 'disabled',
  down: 'forced down',
  silent: 'down (no report)',
  unreported: 'no service',
  sharing: 'shared pool',
};

export const STATUSES = Object.keys(STATUS_NAMES) as readonly HostStatus[];

const MINUTE_MS = 60_000;
const STEPS = [
  ['d', 24 * 60],
  ['h', 60],
  ['min', 1],
] as const;

/** For example `down (no report for 4 min)`. */
export function statusText(status: HostStatus, lastSeen: string | null, now: number): string {
  if (status !== 'silent' || lastSeen === null) return STATUS_NAMES[status];
  const minutes = (now - Date.parse(lastSeen)) / MINUTE_MS;
  const [unit, length] = STEPS.find(([, each]) => minutes >= each) ?? ['min', 1];
  return `down (no report for ${Math.max(1, Math.floor(minutes / length))} ${unit})`;
}
