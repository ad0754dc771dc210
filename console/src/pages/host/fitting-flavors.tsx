// The flavors that fit on a host now, and the bottleneck of the others.
import { Alert, Badge, Paper, Stack } from '@mantine/core';
import { pathTo } from '../../address/path-to';
import type { HostReport } from '../../service/reports';
import { countOf } from '../../shown/amount';
import { byName } from '../../shown/by-name';
import type { Column } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import { IconCheck, IconX } from '../../shown/icons';
import { PageLink, TextLink } from '../../shown/page-link';
import { readable } from '../../shown/readable';
import { Sentence } from '../../shown/sentence';
import { SmallTable } from '../../shown/small-table';

type HostFlavor = HostReport['flavors'][number];

export function FittingFlavors({ report }: { readonly report: HostReport }) {
  const { flavors, flavors_truncated } = report;
  const { status, status_reason: ofHost } = report.host;
  if (flavors.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState title="No flavors are registered">
          Register some under <TextLink to="/registries/flavors">Configuration</TextLink> to see which of them fit.
        </EmptyState>
      </Paper>
    );
  }
  return (
    <Stack gap="sm">
      {ofHost !== null && (
        <Alert color="yellow" title={`The host is ${status}`}>
          It accepts no instance: {readable(ofHost)}. The table shows what else keeps a flavor off it.
        </Alert>
      )}
      {flavors_truncated && (
        <Alert color="yellow">
          There are more flavors than are listed: these are {countOf(flavors.length, 'flavor')} of them.
        </Alert>
      )}
      <Paper withBorder>
        <SmallTable
          label="Flavors on this host"
          columns={columnsFor(ofHost)}
          rows={[...flavors].sort((a, b) => Number(b.fits) - Number(a.fits) || byName(a.name, b.name))}
          keyOf={({ id }) => id}
          minWidth={480}
        />
      </Paper>
    </Stack>
  );
}

/** `ofHost`: the reason why the host accepts nothing, which is not repeated. */
const columnsFor = (ofHost: string | null): readonly Column<HostFlavor>[] => [
  {
    key: 'flavor',
    name: 'Flavor',
    width: '28%',
    cell: ({ name }) => <PageLink to={pathTo('/hosts', { flavor: name })}>{name}</PageLink>,
  },
  {
    key: 'fits',
    name: 'Fits now',
    width: '140px',
    cell: ({ fits }) => {
      const Icon = fits ? IconCheck : IconX;
      return (
        <Badge
          variant="light"
          color={fits ? 'teal' : 'gray'}
          c="var(--mantine-color-text)"

          style={{ verticalAlign: 'middle' }}
          leftSection={<Icon size={12} />}
        >
          {fits ? 'fits' : 'does not fit'}
        </Badge>
      );
    },
  },
  {
    key: 'hinders',
    name: 'What hinders it',
    cell: ({ hinders }) =>
      hinders.filter((sentence) => sentence !== ofHost).map((sentence) => <Sentence key={sentence} text={sentence} />),
  },
];
