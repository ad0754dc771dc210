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
