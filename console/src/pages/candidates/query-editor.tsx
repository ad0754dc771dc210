// The form of a query, with its query string and CLI command for other tools. The query string can be edited too.
import { Alert, Button, Collapse, Group, Modal, NumberInput, Paper, Select, Stack, Textarea } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMemo, useState } from 'react';
import { useHostAggregateChoices, useResourceClassNames, useTraitNames } from '../../service/registries';
import { useUnsaved } from '../../shell/unsaved';
import { sortedClasses } from '../../shown/amount';
import { CommandText } from '../../shown/copy-text';
import { IconClipboardText, IconPlus, IconSearch } from '../../shown/icons';
import { Note } from '../../shown/note';
import { submits } from '../../shown/submits';
import type { KnownNames } from './group-form';
import { GroupForm } from './group-form';
import type { FormQuery } from './query-form';
import { commandOf, emptyGroup, nextSuffix, readQuery, writeQuery } from './query-form';
import { TermsInput } from './terms-input';

interface Props {
  readonly query: FormQuery;
  readonly isBusy: boolean;
  readonly onSearch: (queryText: string) => void;
}

export function QueryEditor({ query: given, isBusy, onSearch }: Props) {
  const [query, setQuery] = useState(given);
  useUnsaved(query !== given);
  const [isPasting, pasting] = useDisclosure();
  const [isShown, shown] = useDisclosure();
  const names = useNames();
  const { groups, groupPolicy, sameSubtree, rootRequired, limit } = query;
  const set = (changed: Partial<FormQuery>): void => setQuery({ ...query, ...changed });
  const suffixes = groups.map(({ suffix }) => suffix).filter((suffix) => suffix !== '');
  return (
    <Paper withBorder p="md" component="section" aria-label="Query">
      <form onSubmit={submits(() => onSearch(writeQuery(query)))}>
        <Stack gap="sm">
          {groups.map((group, at) => (
            <GroupForm
              key={group.suffix}
              group={group}
              names={names}
              onChange={(changed) => set({ groups: groups.map((each) => (each === group ? changed : each)) })}
              onRemove={at === 0 ? undefined : () => set({ groups: groups.filter((each) => each !== group) })}
            />
          ))}
          <Group gap="sm" align="flex-end">
            <Button
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => set({ groups: [...groups, emptyGroup(nextSuffix(groups))] })}
            >
              Group
            </Button>
            {suffixes.length > 0 && (
              <>
                <Select
                  label="Group policy"
                  w={200}
                  clearable
                  data={[
                    { value: 'none', label: 'none: one may serve several' },
                    { value: 'isolate', label: 'isolate: each its own' },
                  ]}
                  value={groupPolicy === '' ? null : groupPolicy}
                  onChange={(value) => set({ groupPolicy: value ?? '' })}
                />
                <TermsInput
                  label="Same subtree"
                  names={[suffixes.join(',')]}
                  value={sameSubtree}
                  onChange={(terms) => set({ sameSubtree: terms })}
                  takesAlternatives={false}
                />
              </>
            )}
            <div style={{ flex: 1, minWidth: 200 }}>
              <TermsInput
                label="Traits of the root"
                names={names.traits}
                value={rootRequired}
                onChange={(terms) => set({ rootRequired: terms })}
                takesAlternatives={false}
              />
            </div>
            <NumberInput
              label="Limit"
              w={90}
              min={1}
              allowDecimal={false}
              value={limit}
              onChange={(value) => set({ limit: String(value) })}
            />
            <Button type="submit" loading={isBusy} leftSection={<IconSearch size={14} />}>
              Search
            </Button>
          </Group>
          <Group gap="xs">
            <Button variant="subtle" size="compact-xs" aria-expanded={isShown} onClick={shown.toggle}>
              {isShown ? 'Hide the request and the command' : 'Show the request and the command'}
            </Button>
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconClipboardText size={14} />}
              onClick={pasting.open}
            >
              Paste a query
            </Button>
          </Group>
          <Collapse expanded={isShown}>
            <InOtherWords query={query} />
          </Collapse>
        </Stack>
      </form>
      <Paste isOpen={isPasting} onClose={pasting.close} onQuery={onSearch} />
    </Paper>
  );
}

function InOtherWords({ query }: { readonly query: FormQuery }) {
  const { command, leftOut } = commandOf(query);
  return (
    <Stack gap="xs">
      <CommandText command={`GET /allocation_candidates?${writeQuery(query)}`} />
      <CommandText command={command} />
      {leftOut.length > 0 && (
        <Note>{`The client has no option for ${leftOut.join(', ')}: its search is a wider one.`}</Note>
      )}
    </Stack>
  );
}

interface PasteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onQuery: (queryText: string) => void;
}

function Paste({ isOpen, onClose, onQuery }: PasteProps) {
  const [text, setText] = useState('');
  const { query, unknown } = readQuery(text);
  return (
    <Modal opened={isOpen} onClose={onClose} title="Paste a query" size="lg">
      <Stack gap="sm">
        <Textarea
          size="sm"
          label="Query string"
          description="From a log or a decision; a path in front of it does not matter."
          autosize
          minRows={4}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          data-autofocus
        />
        {text.trim() !== '' && unknown.length > 0 && (
          <Alert color="orange">{`Unknown parameters were left out: ${unknown.join(', ')}.`}</Alert>
        )}
        <Button
          size="sm"
          disabled={text.trim() === ''}
          onClick={() => {
            onQuery(writeQuery(query));
            setText('');
            onClose();
          }}
        >
          Search with it
        </Button>
      </Stack>
    </Modal>
  );
}

function useNames(): KnownNames {
  const classes = useResourceClassNames();
  const traits = useTraitNames();
  const aggregates = useHostAggregateChoices();
  return useMemo(() => {
    const uuids = new Map(aggregates.map(({ label, value }) => [label, value]));
    const names = new Map(aggregates.map(({ label, value }) => [value, label]));
    return {
      resourceClasses: sortedClasses(classes),
      traits,
      aggregates: [...uuids.keys()],
      uuidOf: (name) => uuids.get(name) ?? name,
      nameOf: (uuid) => names.get(uuid) ?? uuid,
    };
  }, [classes, traits, aggregates]);
}
