import { Button, Group, Modal, Paper, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
// The changes of the ticked hosts. Each change opens a dialog with its parameter, a preview of what happens to each host,
// and the progress.
import { Link } from 'react-router';
import { drainPath } from '../../address/path-to';
import { BatchCourse, useBatch } from '../../provider-traits/batch-course';
import { isOfService, TraitSelect } from '../../provider-traits/trait-select';
import { useAnswer } from '../../service/questions';
import { useHostAggregateChoices } from '../../service/registries';
import type { HostRow } from '../../service/reports';
import { useSession } from '../../session/session';
import { countOf } from '../../shown/amount';
import { Choice } from '../../shown/choice';
import { Note } from '../../shown/note';
import type { BulkKind } from './bulk-change';
import { BULK, BULK_KINDS, previewOfBulk } from './bulk-change';

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

const REMOVALS: readonly BulkKind[] = ['untrait', 'leave'];

interface DialogProps {
  readonly kind: BulkKind;
  readonly rows: readonly HostRow[];
  readonly close: () => void;
}

function BulkDialog({ kind, rows: given, close }: DialogProps) {
  const { service } = useSession();
  const { title, parameter } = BULK[kind];
  // The rows of the list change while the batch runs.
  const [rows] = useState(given);
  const [value, setValue] = useState('');
  const batch = useBatch('host');
  const isOfTrait = parameter === 'trait';
  const { data: holders } = useAnswer(
    'hosts',
    ['holders', value],
    ({ placement }, signal) => placement.providers.list({ required: [value] }, { signal }),
    { enabled: isOfTrait && value !== '' },
  );
  const instances = rows.reduce((sum, row) => sum + row.instances, 0);
  const isReady = isOfTrait ? value !== '' && holders !== undefined : parameter !== 'aggregate' || value !== '';
  const holding = new Set(holders?.resource_providers.map(({ uuid }) => uuid));
  return (
    <Modal opened onClose={close} title={title}>
      <Stack gap="sm">
        <Parameter kind={kind} value={value} isDisabled={batch.state !== 'idle'} onChange={setValue} />
        {isReady && REMOVALS.includes(kind) && instances > 0 && (
          <Note>{`${countOf(instances, 'instance runs', 'instances run')} on these hosts, and stay there.`}</Note>
        )}
        {isReady && (
          <BatchCourse
            preview={previewOfBulk(rows, kind, value, holding)}
            batch={batch}
            onDone={close}
            change={async ({ uuid }, signal) => {
              const row = rows.find((each) => each.uuid === uuid);
              return row === undefined
                ? undefined
                : BULK[kind].apply({ row, host: row.host ?? row.name, value, service, signal });
            }}
          />
        )}
      </Stack>
    </Modal>
  );
}

interface ParameterProps {
  readonly kind: BulkKind;
  readonly value: string;
  readonly isDisabled: boolean;
  readonly onChange: (value: string) => void;
}

function Parameter({ kind, value, isDisabled, onChange }: ParameterProps) {
  const { parameter } = BULK[kind];
  const aggregates = useHostAggregateChoices({ isNeeded: parameter === 'aggregate' });
  const common = { value, size: 'sm', disabled: isDisabled, 'data-autofocus': true };
  switch (parameter) {
    case 'none':
      return null;
    case 'reason':
      return (
        <TextInput
          {...common}
          label="Reason"
          description="Their instances stay, and they accept no new ones. Explanations show the reason."
          maxLength={255}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
    case 'trait':
      return (
        <TraitSelect
          {...common}
          label="Trait"
          onChange={onChange}
          isOffered={(trait) => kind === 'trait' || !isOfService(trait)}
          creates={kind === 'trait'}
        />
      );
    case 'aggregate':
      return <Choice {...common} label="Host aggregate" placeholder="" names={aggregates} onChange={onChange} />;
  }
}
