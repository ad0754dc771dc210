// The changes of the ticked hosts. Each change opens a dialog with its preview and its progress.
import { Button, Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { drainPath } from '../../address/path-to';
import type { HostRow } from '../../service/reports';
import { useSession } from '../../session/session';
import { countOf } from '../../shown/amount';
import type { BulkKind } from './bulk-change';
import { BULK, BULK_KINDS } from './bulk-change';
import { BulkDialog } from './bulk-dialog';

interface Props {
  readonly rows: readonly HostRow[];
  readonly onClear: () => void;
}

export function BulkBar({ rows, onClear }: Props) {
  const { may } = useSession();
  const [kind, setKind] = useState<BulkKind>();
  return (
    <Paper withBorder px="md" py={6} role="region" aria-label="Selected hosts">
      <Group gap="xs">
        <Text fw={600} aria-live="polite">
          {countOf(rows.length, 'host')} selected
        </Text>
        {BULK_KINDS.filter((each) => BULK[each].rules.every(may)).map((each) => (
          <Button key={each} size="compact-sm" variant="default" onClick={() => setKind(each)}>
            {BULK[each].name}
          </Button>
        ))}
        {may('berth:scheduler:plans:create') && rows.length <= NAMED_MAX && (
          <Button component={Link} to={drainPath(rows.map(({ name }) => name))} size="compact-sm" variant="default">
            Plan a drain
          </Button>
        )}
        <Button size="compact-sm" variant="subtle" onClick={onClear}>
          Clear the selection
        </Button>
      </Group>
      {kind !== undefined && <BulkDialog kind={kind} rows={rows} close={() => setKind(undefined)} />}
    </Paper>
  );
}

/** Hosts in one address; more are chosen by their aggregate or zone. */
const NAMED_MAX = 50;

/** True if the user can change hosts at all. */
export const mayChangeHosts = (may: (rule: string) => boolean): boolean =>
  BULK_KINDS.some((kind) => BULK[kind].rules.every(may));
