// Why hosts have no candidate, and changes to the query that would give them one.
import type { Answer } from '@berth/client';
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMemo } from 'react';
import { fixesOf } from './fixes';
import type { FormQuery } from './query-form';

type Explained = Answer<'/allocation_candidates/explain'>;

interface Props {
  readonly explained: Explained;
  readonly query: FormQuery;
  readonly onFix: (query: FormQuery) => void;
}

export function Explanation({ explained, query, onFix }: Props) {
  const fixes = useMemo(() => fixesOf(explained.fixes, query), [explained, query]);
  const { sentence, counts, nearest } = explained;
  return (
    <Stack gap="lg">
      {sentence !== null && (
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </Text>
      )}
      {fixes.length > 0 && (
        <section aria-label="Changes">
          <Title order={3} size="h5" mb="xs">
            Changes that give hosts a candidate
          </Title>
          <Group gap={6}>
            {fixes.map(({ name, query: changed }) =>
              changed === null ? (
                <Text key={name}>
                  {name}
                </Text>
              ) : (
                <Button key={name} variant="light" size="compact-xs" onClick={() => onFix(changed)}>
                  {name}
                </Button>
              ),
            )}
          </Group>
        </section>
      )}
      <Texts label="Nearest hosts" texts={nearest.map(({ text }) => text)} />
      <Texts label="Reasons" texts={counts.map(({ text }) => text)} />
    </Stack>
  );
}

function Texts({ label, texts }: { readonly label: string; readonly texts: readonly string[] }) {
  if (texts.length === 0) return null;
  return (
    <section aria-label={label}>
      <Title order={3} size="h5" mb="xs">
        {label}
      </Title>
      <Stack gap={4} component="ul" m={0} pl="md">
        {texts.map((text) => (
          <Text key={text} component="li" style={{ overflowWrap: 'anywhere' }}>
            {text}
          </Text>
        ))}
      </Stack>
    </section>
  );
}
