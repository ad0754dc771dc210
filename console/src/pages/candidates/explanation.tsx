// The stage at which each tree was rejected, and changes to the query that would bring trees back.
import type { Answer } from '@berth/client';
import { Badge, Button, Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { countOf, countText } from '../../shown/amount';
import type { FunnelStage } from '../../shown/funnel';
import { Funnel } from '../../shown/funnel';
import { Note } from '../../shown/note';
import type { Reason } from './fixes';
import { fixesOf, reasonsOf } from './fixes';
import type { FormQuery } from './query-form';

type Explained = Answer<'/allocation_candidates/explain'>;

/** The check of each stage. */
const STAGES: Readonly<Record<string, string>> = {
  class: 'has the resource classes',
  room: 'has room for the amounts',
  traits: 'has the traits, and none that is forbidden',
  aggregates: 'is in the aggregates',
  in_tree: 'is in the tree',
  root: 'the root has the traits',
  sharing: 'with what is shared with it',
  combine: 'every group is served',
  group_policy: 'by providers that may be the same, or may not',
  same_subtree: 'below one provider',
  merged_capacity: 'and has room for all of it together',
};

interface Props {
  readonly explained: Explained;
  readonly query: FormQuery;
  readonly open: string;
  readonly onOpen: (stage: string | undefined) => void;
  readonly onFix: (query: FormQuery) => void;
}

export function Explanation({ explained, query, open, onOpen, onFix }: Props) {
  const reasons = useMemo(() => reasonsOf(explained), [explained]);
  const fixes = useMemo(() => fixesOf(explained.fixes, query), [explained, query]);
  return (
    <Stack gap="lg">
      {explained.sentence !== null && (
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {explained.sentence}
        </Text>
      )}
      {fixes.length > 0 && (
        <section aria-label="Changes">
          <Title order={3} size="h5" mb="xs">
            Changes that give trees a candidate
          </Title>
          <Group gap={6}>
            {fixes.map(({ name, query: changed }) =>
              changed === null ? (
                <Text key={name}>{name}</Text>
              ) : (
                <Button key={name} variant="light" size="compact-xs" onClick={() => onFix(changed)}>
                  {name}
                </Button>
              ),
            )}
          </Group>
        </section>
      )}
      {reasons.length > 0 && (
        <section aria-label="Reasons">
          <Title order={3} size="h5" mb="xs">
            Why the others fell out
          </Title>
          <Reasons reasons={reasons} />
        </section>
      )}
      <section aria-label="Stages">
        <Title order={3} size="h5" mb={4}>
          Stage by stage
        </Title>
        {explained.groups.map((group) => (
          <div key={group.suffix}>
            <Note mt="xs">
              {group.suffix === '' ? 'Providers that give some of it' : `Providers for group ${group.suffix}`}
            </Note>
            <Funnel
              label={group.suffix === '' ? 'Providers' : `Providers for group ${group.suffix}`}
              stages={stagesOf(group.stages, `g${group.suffix}`, reasons)}
              open={open}
              onOpen={onOpen}
            />
          </div>
        ))}
        <Note mt="xs">Trees as a whole</Note>
        <Funnel
          label="Trees"
          stages={[
            ...stagesOf(explained.whole_request, 'whole', reasons),
            {
              key: 'answer',
              name: 'in the answer',
              left: explained.trees.in_answer,
              ...(explained.trees.not_reached > 0 && {
                note: `${countOf(explained.trees.not_reached, 'tree')} not looked at: the limit was reached`,
              }),
            },
          ]}
          open={open}
          onOpen={onOpen}
        />
      </section>
    </Stack>
  );
}

function stagesOf(
  stages: readonly { readonly stage: string; readonly in: number; readonly out: number }[],
  place: string,
  reasons: readonly Reason[],
): readonly FunnelStage[] {
  return stages.map(({ stage, in: before, out }) => {
    const sentences = reasons.filter(({ code }) => code.startsWith(`${stage}.`)).flatMap(({ sentences }) => sentences);
    return {
      key: `${place}-${stage}`,
      name: STAGES[stage] ?? stage,
      before,
      left: out,
      ...(before > out && sentences.length > 0 && { more: <Sentences sentences={sentences} /> }),
    };
  });
}

function Sentences({ sentences }: { readonly sentences: Reason['sentences'] }) {
  return (
    <Stack gap={4} component="ul" m={0} pl="md">
      {sentences.map(({ text, trees }) => (
        <Text key={text} component="li">
          {text}
          <Note span>{` – ${countOf(trees, 'tree')}`}</Note>
        </Text>
      ))}
    </Stack>
  );
}

function Reasons({ reasons }: { readonly reasons: readonly Reason[] }) {
  return (
    <Table.ScrollContainer minWidth={620} type="native">
      <Table verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th ta="right" w={80}>
              Trees
            </Table.Th>
            <Table.Th>Reason</Table.Th>
            <Table.Th w={320}>Changes that would let them fit</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {reasons.map(({ code, trees, sentences }) => (
            <Table.Tr key={code}>
              <Table.Td ta="right" className="numbers">
                {countText(trees)}
              </Table.Td>
              <Table.Td>
                <Text>{sentences[0]?.text ?? 'reported for other trees only'}</Text>
                <Group gap={6} mt={2}>
                  <Code fz="xs">{code}</Code>
                  {sentences.length > 1 && (
                    <Badge size="xs" variant="default">
                      {`and ${countOf(sentences.length - 1, 'other sentence')}`}
                    </Badge>
                  )}
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
