// The status of a host as a coloured word.
import { Tooltip } from '@mantine/core';
import type { HostStatus } from '../service/reports';
import { readable } from './readable';
import { StateMark } from './state-mark';
import { STATUS_NAMES } from './status-text';
import { TimeText } from './time-text';

const SHOWN: Readonly<Record<HostStatus, { readonly color: string; readonly means: string }>> = {
  up: { color: 'teal', means: 'Its service reports and is enabled.' },
  disabled: { color: 'gray.6', means: 'Disabled: its instances stay, and it accepts no new ones.' },
  down: { color: 'red', means: 'Its service was forced down.' },
  silent: { color: 'orange', means: 'Its compute service has not reported within service_down_time.' },
  unreported: { color: 'blue', means: 'Known by its resource provider only; no service reports for it.' },
  sharing: { color: 'violet', means: 'Shares its resources with the hosts of its aggregates. It is not a host.' },
};

interface Props {
  readonly status: HostStatus;
  readonly reason?: string | null;
  /** Time of the last report, if known. */
  readonly lastSeen?: string | null;
  /** For large tables: uses the browser's native tooltip. */
  readonly isBare?: boolean;
}

export function StatusMark({ status, reason, lastSeen, isBare = false }: Props) {
  const { color, means } = SHOWN[status];
  const label = reason === undefined || reason === null ? means : `${means} ${readable(reason)}`;
  const mark = (
    <StateMark
      color={color}
      title={isBare ? label : undefined}
      text={status === 'silent' && lastSeen ? <TimeText before="down" at={lastSeen} /> : STATUS_NAMES[status]}
    />
  );
  return isBare ? mark : <Tooltip label={label}>{mark}</Tooltip>;
}
