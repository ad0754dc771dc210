// Allocation candidates by provider tree: the amounts of each provider, and its usage after the claim.
import type { Answer } from '@berth/client';
import { Badge, Box, Button, Card, Group, Progress, SimpleGrid, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { useAnswer } from '../../service/questions';
import { amountText, classText, countOf, countText, shareText, sortedClasses } from '../../shown/amount';
import { groupBy } from '../../shown/count-by';
import { Note } from '../../shown/note';
import { PageLink } from '../../shown/page-link';
import { colorOfUse } from '../../theme';

type Found = Answer<'/allocation_candidates'>;
type Candidate = Found['allocation_requests'][number];
type Summaries = Found['provider_summaries'];

interface TreeProps {
  readonly root: string;
  readonly candidates: readonly Candidate[];
  readonly summaries: Summaries;
}

const TREES_AT_FIRST = 12;
const CANDIDATES_AT_FIRST = 3;

export function CandidateCards({ found }: { readonly found: Found }) {
  const [isWhole, setWhole] = useState(false);
  const { allocation_requests: candidates, provider_summaries: summaries } = found;
  // In the order of the answer.
  const trees = useMemo(
    () => [...groupBy(candidates, (candidate) => rootOf(candidate, summaries))],
    [candidates, summaries],
  );
  const shown = isWhole ? trees : trees.slice(0, TREES_AT_FIRST);
  return (
    <Stack gap="sm">
      <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing="sm">
        {shown.map(([root, ofTree]) => (
          <TreeCard key={root} root={root} candidates={ofTree} summaries={summaries} />
        ))}
      </SimpleGrid>
      {shown.length < trees.length && (
        <Button variant="default" onClick={() => setWhole(true)} style={{ alignSelf: 'center' }}>
          {`Show ${countOf(trees.length - shown.length, 'more tree')}`}
        </Button>
      )}
    </Stack>
  );
}

/** The tree of the candidate's first non-sharing provider. */
function rootOf({ allocations }: Candidate, summaries: Summaries): string {
  const providers = Object.keys(allocations);
  const isSharing = (uuid: string): boolean => summaries[uuid]?.traits?.includes('MISC_SHARES_VIA_AGGREGATE') === true;
  const own = providers.find((uuid) => !isSharing(uuid)) ?? providers[0] ?? '';
  return summaries[own]?.root_provider_uuid ?? own;
}

function TreeCard({ root, candidates, summaries }: TreeProps) {
  const [isWhole, setWhole] = useState(false);
  const names = useAnswer('hosts', ['names in tree', root], ({ placement }, signal) =>
    placement.providers.list({ in_tree: root }, { signal }),
  );
  const nameOf = useMemo(() => {
    const known = new Map((names.data?.resource_providers ?? []).map(({ uuid, name }) => [uuid, name]));
    return (uuid: string): string => known.get(uuid) ?? uuid;
  }, [names.data]);
  const shown = isWhole ? candidates : candidates.slice(0, CANDIDATES_AT_FIRST);
  return (
    <Card withBorder padding="sm" component="article" aria-label={nameOf(root)}>
      <Group justify="space-between" mb={8} wrap="nowrap">
        <PageLink to={`/hosts/${root}`} fw={600} truncate>
          {nameOf(root)}
        </PageLink>
        <Note style={{ whiteSpace: 'nowrap' }}>{countOf(candidates.length, 'candidate')}</Note>
      </Group>
      <Stack gap={8}>
        {shown.map((candidate, at) => (
          // Candidates have no identifier.
          <CandidateBox key={at} candidate={candidate} summaries={summaries} nameOf={nameOf} root={root} />
        ))}
        {shown.length < candidates.length && (
          <Button variant="subtle" size="compact-xs" onClick={() => setWhole(true)}>
            {`${countText(candidates.length - shown.length)} more`}
          </Button>
        )}
      </Stack>
    </Card>
  );
}

interface BoxProps {
  readonly candidate: Candidate;
  readonly summaries: Summaries;
  readonly nameOf: (uuid: string) => string;
  readonly root: string;
}

function CandidateBox({ candidate, summaries, nameOf, root }: BoxProps) {
  const groupsOf = (uuid: string): readonly string[] =>
    Object.entries(candidate.mappings ?? {})
      .filter(([suffix, providers]) => suffix !== '' && providers.includes(uuid))
      .map(([suffix]) => suffix);
  return (
    <Stack gap={8} p={8} style={{ border: '1px solid var(--mantine-color-default-border)', borderRadius: 6 }}>
      {Object.entries(candidate.allocations).map(([uuid, { resources }]) => {
        const summary = summaries[uuid];
        const isShared = summary !== undefined && summary.root_provider_uuid !== root;
        return (
          <Box key={uuid}>
            <Group gap={6} mb={2} wrap="nowrap">
              <Text size="xs" fw={500} truncate>
                {uuid === root ? 'the host itself' : isShared ? 'a shared provider' : nameOf(uuid)}
              </Text>
              {groupsOf(uuid).map((suffix) => (
                <Badge key={suffix} size="xs" variant="default">
                  {`group ${suffix}`}
                </Badge>
              ))}
            </Group>
            {sortedClasses(Object.keys(resources)).map((resourceClass) => (
              <Taken
                key={resourceClass}
                resourceClass={resourceClass}
                taken={resources[resourceClass] ?? 0}
                now={summary?.resources[resourceClass]}
              />
            ))}
          </Box>
        );
      })}
    </Stack>
  );
}

interface TakenProps {
  readonly resourceClass: string;
  readonly taken: number;
  readonly now: { readonly capacity: number; readonly used: number } | undefined;
}

/** Bar of one class: current usage in the colour of its level, the requested amount hatched in a lighter shade. */
function Taken({ resourceClass, taken, now }: TakenProps) {
  const { capacity, used } = now ?? { capacity: 0, used: 0 };
  const share = (amount: number): number => (capacity === 0 ? 0 : amount / capacity);
  const words = `${amountText(resourceClass, taken)} taken: ${shareText(share(used))} used now, ${shareText(share(used + taken))} then`;
  return (
    <Group gap={8} wrap="nowrap">
      <Text size="xs" w={132} truncate className="numbers">
        {`${classText(resourceClass)} ${amountText(resourceClass, taken)}`}
      </Text>
      <Progress.Root size={8} style={{ flex: 1 }} title={words}>
        <Progress.Section
          value={share(used) * 100}
          color="gray.6"
          aria-label={`${classText(resourceClass)}: ${words}`}
        />
        <Progress.Section value={share(taken) * 100} color={colorOfUse(share(used + taken))} aria-hidden />
      </Progress.Root>
      <Note w={40} ta="right" className="numbers">
        {shareText(share(used + taken))}
      </Note>
    </Group>
  );
}
