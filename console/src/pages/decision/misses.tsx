// Near misses of a decision: hosts that fail one condition only, and conditions whose removal allows a placement.
import { Group, Stack, Text, Title } from '@mantine/core';
import { useNamesOfAggregates } from '../../service/registries';
import { countOf } from '../../shown/amount';
import { withNames } from '../../shown/named-uuids';
import { Note } from '../../shown/note';
import type { Decision } from './decision-document';

export function Misses({ decision }: { readonly decision: Decision }) {
  const names = useNamesOfAggregates();
  const { nearest_misses: misses } = decision.summary;
  const empty = decision.placement?.if_empty ?? null;
  const conflicts = empty?.minimal_conflicts ?? [];
  // Absent in decisions of earlier releases.
  const { fixes = null } = decision.summary as Partial<typeof decision.summary>;
  const changes = fixes?.changes ?? [];
  if (misses.length === 0 && conflicts.length === 0 && changes.length === 0) return null;
  return (
    <Stack gap="md">
      {fixes !== null && changes.length > 0 && (
        <section aria-labelledby="fixes-head">
          <Title order={2} size="h5" mb={4} id="fixes-head">
            Changes that give hosts a candidate
          </Title>
          <Stack gap={2} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {changes.map(({ text }) => (
              <Text key={text} component="li" style={{ overflowWrap: 'anywhere' }}>
                {text}
              </Text>
            ))}
          </Stack>
          <Note>{`As the cloud was at ${fixes.at.slice(0, 19).replace('T', ' ')} UTC.`}</Note>
        </section>
      )}
      {misses.length > 0 && (
        <section aria-labelledby="misses-head">
          <Title order={2} size="h5" mb={4} id="misses-head">
            Nearest misses
          </Title>
          <Stack gap={2} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {misses.map(({ hosts, lack }) => (
              <Group key={lack} component="li" gap="xs" wrap="nowrap" align="baseline">
                <Text fw={600} w={70} ta="right" className="numbers" style={{ flexShrink: 0 }}>
                  {countOf(hosts, 'host')}
                </Text>
                <Text style={{ overflowWrap: 'anywhere' }}>{missText(hosts, lack)}</Text>
              </Group>
            ))}
          </Stack>
        </section>
      )}
      {conflicts.length > 0 && (
        <section aria-labelledby="conflicts-head">
          <Title order={2} size="h5" mb={4} id="conflicts-head">
            There would be candidates without
          </Title>
          <Stack gap={2} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
            {conflicts.map((set) => {
              const text = set.join(' and ');
              return (
                <Text key={text} component="li" ff="monospace" title={text} style={{ overflowWrap: 'anywhere' }}>
                  {withNames(text, names)}
                </Text>
              );
            })}
          </Stack>
          {empty?.minimal_conflicts_complete === false && (
            <Note>{`The search for more ended after ${countOf(empty.searches, 'search', 'searches')}.`}</Note>
          )}
        </section>
      )}
    </Stack>
  );
}

/** `lack` is a condition that the host fails, or freedom from something that it has. */
function missText(hosts: number, lack: string): string {
  const isOne = hosts === 1;
  const forbidden = lack.startsWith(FREEDOM) ? lack.slice(FREEDOM.length) : undefined;
  if (forbidden === undefined) return `${isOne ? 'lacks' : 'lack'} only ${lack}`;
  return `${isOne ? 'fails' : 'fail'} only because of the ${forbidden.startsWith('forbidden') ? '' : 'forbidden '}${forbidden}`;
}

const FREEDOM = 'freedom from ';
