// Names of host statuses for operators.
import type { HostStatus } from '../service/reports';
import { ageText } from './age';

export const STATUS_NAMES: Readonly<Record<HostStatus, string>> = {
  up: 'up',
  disabled: 'disabled',
  down: 'forced down',
  silent: 'down (no report)',
  unreported: 'no service',
  sharing: 'shared pool',
};

export const STATUSES = Object.keys(STATUS_NAMES) as readonly HostStatus[];

/** For example `down 4 min`. */
export const statusText = (status: HostStatus, lastSeen: string | null, now: number): string =>
  status !== 'silent' || lastSeen === null
    ? STATUS_NAMES[status]
    : `down ${ageText((now - Date.parse(lastSeen)) / 1_000)}`;
