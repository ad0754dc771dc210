// How many more instances of each flavor fit and the bottleneck, scarcest first.
import { Box, Group, SimpleGrid, Text } from '@mantine/core';
import { pathTo } from '../../address/path-to';
import { useAnswer } from '../../service/questions';
import type { FlavorsReport } from '../../service/reports';
import { countOf, countText } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { Note } from '../../shown/note';
import { PageLink, TextLink } from '../../shown/page-link';
import { Panel } from '../../shown/part';
import { readable } from '../../shown/readable';
import type { Fields } from '../../shown/save-buttons';
import { CsvButton, membersOf } from '../../shown/save-buttons';
import { AgeText, REFRESH } from './age-text';
import type { FlavorFit } from './flavors';
import { scarceFirst } from './flavors';
import { WhenFull } from './history-panel';
import { useFirst } from './use-first';

const SHOWN = 12;

export function FlavorsPanel() {
  const question = useAnswer('slow', ['flavors'], ({ reports }, signal) => reports.flavors({}, { signal }), {
    everyMs: REFRESH,
  });
  return (
    <Panel
      title="How many more fit"
      aside={
        <Group gap="sm">
          <WhenFull />
          <AgeText answer={question.data} />
          <CsvButton name="flavors" fields={FIELDS} rows={() => question.data?.flavors ?? []} />
        </Group>
      }
    >
      <Answered question={question}>{(report) => <Fits report={report} />}</Answered>
    </Panel>
  );
}

function Fits({ report: { flavors, state, next_marker: next } }: { readonly report: FlavorsReport }) {
  const { shown, more } = useFirst('flavors', scarceFirst(flavors), SHOWN);
  if (flavors.length === 0) {
    return state === 'computing' ? (
      <Text>The first results are being computed.</Text>
    ) : (
      <Text>
        No flavor is registered. <TextLink to="/registries/flavors">Register one</TextLink> to see how many of it fit.
      </Text>
    );
  }
  return (
    <div>
      <SimpleGrid component="ul" cols={{ base: 1, sm: 2, lg: 3, xl: 4 }} spacing="xl" verticalSpacing={0} p={0} m={0}>
        {shown.map((flavor) => (
          <Fit key={flavor.id} flavor={flavor} />
        ))}
      </SimpleGrid>
      {more}
      {next !== null && <Note mt="xs">Of the first {countText(flavors.length)} flavors.</Note>}
    </div>
  );
}

function Fit({
  flavor: { name, fit, at_least: isBound, hosts, cause, binding, error },
}: {
  readonly flavor: FlavorFit;
}) {
  return (
    <Box component="li" py={6} style={{ listStyle: 'none' }}>
      <Group justify="space-between" wrap="nowrap" gap="xs" align="baseline">
        <PageLink to={pathTo('/map', { flavor: name })} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </PageLink>
        {error === null && (
          <Text className="numbers" style={{ whiteSpace: 'nowrap' }} fw={600}>
            {fit === 0 && !isBound ? 'none' : `${isBound ? 'at least ' : ''}${countText(fit)}`}
            <Text span inherit fw={400} c="dimmed">
              {fit === 0 ? '' : ` on ${countOf(hosts, 'host')}`}
            </Text>
          </Text>
        )}
      </Group>
      <Note style={{ overflowWrap: 'anywhere' }}>{readable(error ?? cause ?? binding[0]?.sentence ?? '')}</Note>
    </Box>
  );
}

const FIELDS: Fields<FlavorFit> = {
  flavor: ({ name }) => name,
  ...membersOf<FlavorFit>('vcpus', 'memory_mb', 'root_gb', 'fit', 'at_least', 'hosts', 'cause'),
  binding: ({ binding }) => binding.map(({ sentence }) => sentence).join('; '),
  error: ({ error }) => error,
};
