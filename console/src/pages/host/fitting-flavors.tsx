// The flavors that fit on a host now, and the bottleneck of the others.
import { Alert, Anchor, Badge, Paper, Stack, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { HostReport } from '../../service/reports';
import { countOf } from '../../shown/amount';
import { byName } from '../../shown/by-name';
import { EmptyState } from '../../shown/empty-state';
import { IconCheck, IconX } from '../../shown/icons';
import { readable } from '../../shown/readable';

export function FittingFlavors({ report }: { readonly report: HostReport }) {
  const { flavors, flavors_truncated } = report;
  const { status, status_reason: ofHost } = report.host;
  if (flavors.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState title="No flavors are registered">
          Register some under{' '}
          <Anchor component={Link} to="/registries/flavors" inherit underline="always">
            Configuration
          </Anchor>{' '}
          to see which of them fit.
        </EmptyState>
      </Paper>
    );
  }
  const sorted = [...flavors].sort((a, b) => Number(b.fits) - Number(a.fits) || byName(a.name, b.name));
  return (
    <Stack gap="sm">
      {ofHost !== null && (
        <Alert color="yellow" variant="light" title={`The host is ${status}`}>
          It accepts no instance: {ofHost}. The table shows what else keeps a flavor off it.
        </Alert>
      )}
      {flavors_truncated && (
        <Alert color="yellow" variant="light">
          There are more flavors than are listed: these are {countOf(flavors.length, 'flavor')} of them.
        </Alert>
      )}
      <Paper withBorder>
        <Table.ScrollContainer minWidth={480} type="native">
          <Table aria-label="Flavors on this host" verticalSpacing={6}>
            <Table.Thead fz="xs" c="dimmed">
              <Table.Tr>
                <Table.Th w="28%">Flavor</Table.Th>
                <Table.Th w={140}>Fits now</Table.Th>
                <Table.Th>What hinders it</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {sorted.map(({ id, name, fits, hinders }) => (
                <Table.Tr key={id}>
                  <Table.Td>
                    <Anchor component={Link} to={`/hosts?flavor=${encodeURIComponent(name)}`} size="sm">
                      {name}
                    </Anchor>
                  </Table.Td>
                  <Table.Td>
                    <Fits fits={fits} />
                  </Table.Td>
                  <Table.Td>
                    {hinders
                      .filter((sentence) => sentence !== ofHost)
                      .map((sentence) => (
                        <Text key={sentence} size="sm">
                          {readable(sentence)}
                        </Text>
                      ))}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
    </Stack>
  );
}

function Fits({ fits }: { readonly fits: boolean }) {
  const Icon = fits ? IconCheck : IconX;
  return (
    <Badge
      variant="light"
      color={fits ? 'teal' : 'gray'}
      c="var(--mantine-color-text)"
      tt="none"
      style={{ verticalAlign: 'middle' }}
      leftSection={<Icon size={12} aria-hidden />}
    >
      {fits ? 'fits' : 'does not fit'}
    </Badge>
  );
}
