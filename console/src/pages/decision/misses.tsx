// Near misses of a decision: hosts that fail one condition only, and changes that give hosts a candidate.
import { Stack, Text, Title } from '@mantine/core';
import type { Decision } from './decision-document';

export function Misses({ decision }: { readonly decision: Decision }) {
  // Absent in decisions of earlier releases.
  const summary = decision.summary as Partial<Decision['summary']>;
  const { nearest = [], fixes = null } = summary;
  const changes = fixes?.changes ?? [];
  if (nearest.length === 0 && changes.length === 0) return null;
  return (
    <Stack gap="md">
      {fixes !== null && changes.length > 0 && (
        <section aria-labelledby="fixes-head">
          <Title order={2} size="h5" mb={4} id="fixes-head">
            Changes that give hosts a candidate
          </Title>
          <Texts texts={changes.map(({ text }) => text)} />
          <Text size="xs" c="dimmed">
            {`As the cloud was at ${fixes.at.slice(0, 19).replace('T', ' ')} UTC.`}
          </Text>
        </section>
      )}
      {nearest.length > 0 && (
        <section aria-labelledby="misses-head">
          <Title order={2} size="h5" mb={4} id="misses-head">
            Nearest misses
          </Title>
          <Texts texts={nearest.map(({ text }) => text)} />
        </section>
      )}
    </Stack>
  );
}

function Texts({ texts }: { readonly texts: readonly string[] }) {
  return (
    <Stack gap={2} component="ul" p={0} m={0} style={{ listStyle: 'none' }}>
      {texts.map((text) => (
        <Text key={text} component="li" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      ))}
    </Stack>
  );
}
