// The status of a host as a coloured word.
import { Badge, Tooltip } from '@mantine/core';
import type { HostStatus } from '../service/reports';

const SHOWN: Readonly<Record<HostStatus, { readonly color: string; readonly means: string }>> = {
  up: { color: 'teal', means: 'Its service reports and is enabled.' },
  disabled: { color: 'gray.6', means: 'Disabled: what runs there stays, nothing new is put there.' },
  down: { color: 'red', means: 'Its service is down, or was forced down.' },
  silent: { color: 'orange', means: 'Its compute service has not reported within service_down_time.' },
  unreported: { color: 'blue', means: 'Known by its resource provider only; no service reports for it.' },
  sharing: { color: 'violet', means: 'Shares what it has with the hosts of its aggregates.' },
};

interface Props {
  readonly status: HostStatus;
  readonly reason?: string | null;
  /** For large tables: uses the browser's native tooltip. */
  readonly isBare?: boolean;
}

export function StatusMark({ status, reason, isBare = false }: Props) {
  const { color, means } = SHOWN[status];
  const label = reason === undefined || reason === null ? means : `${means} ${reason}`;
  const mark = (
    <Badge
      color={color}
      variant="dot"
      tt="none"
      size="md"
      style={{ flexShrink: 0, verticalAlign: 'middle' }}
      title={isBare ? label : undefined}
    >
      {status}
    </Badge>
  );
  return isBare ? mark : <Tooltip label={label}>{mark}</Tooltip>;
}
