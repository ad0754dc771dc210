// One host: its state, provider tree, consumers, fitting flavors and last decisions.
import { Alert, Button, Group, Paper, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMemo, useRef } from 'react';
import { Link, useParams } from 'react-router';
import { drainPath } from '../../address/path-to';
import { DISABLED_TRAIT } from '../../provider-traits/trait-select';
import { useAnswer } from '../../service/questions';
import type { HostReport } from '../../service/reports';
import { useSession } from '../../session/session';
import { AddressTabs } from '../../shown/address-tabs';
import { countText } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { Note } from '../../shown/note';
import { PageHead } from '../../shown/page-head';
import { PngButton } from '../../shown/save-buttons';
import { scarcestFirst } from '../../shown/scarcest';
import { ServiceSwitch } from '../../shown/service-switch';
import { ConsumersTable } from './consumers-table';
import { FittingFlavors } from './fitting-flavors';
import { HostFacts } from './host-facts';
import { LastDecisions } from './last-decisions';
import { Bars, namesByUuid, ProviderBox, SharedBoxes } from './provider-box';
import { consumerRows, providerNames } from './provider-tree';

const ABOVE = { name: 'Hosts', to: '/hosts' };

export default function HostPage() {
  const { uuid = '' } = useParams();
  const { may } = useSession();
  const question = useAnswer('hosts', ['host', uuid], ({ reports }, signal) => reports.hosts.get(uuid, { signal }), {
    keepsPrevious: false,
  });
  const report = question.data;
  const service = report?.service ?? null;
  const name = report?.host.host ?? null;
  return (
    <>
      <PageHead
        title={report?.host.name ?? uuid}
        above={ABOVE}
        subtitle={report && <HostFacts report={report} />}
        actions={
          service !== null &&
          name !== null && (
            <>
              {may('berth:scheduler:plans:create') && (
                <Button component={Link} to={drainPath([name])} variant="default">
                  Plan a drain
                </Button>
              )}
              <ServiceSwitch host={name} service={service} />
            </>
          )
        }
      />
      <Answered question={question}>{(answer) => <Sections question={question} report={answer} />}</Answered>
    </>
  );
}

interface SectionsProps {
  readonly question: UseQueryResult<HostReport>;
  readonly report: HostReport;
}

function Sections({ question, report }: SectionsProps) {
  const { consumers, consumers_truncated, decisions, flavors, flavors_truncated } = report;
  const fitting = flavors.filter(({ fits }) => fits).length;
  const more = (isCut: boolean): string => (isCut ? '+' : '');
  const below = (title: string, content: ReactNode): ReactNode => (
    <>
      <VisuallyHidden>
        <h2>{title}</h2>
      </VisuallyHidden>
      {content}
    </>
  );
  return (
    <AddressTabs
      tabs={[
        { value: 'tree', label: 'Provider tree', content: <Tree report={report} /> },
        {
          value: 'consumers',
          label: `Consumers ${countText(consumers.length)}${more(consumers_truncated)}`,
          content: below(
            'Consumers',
            <ConsumersTable
              question={question}
              of={report.host.name}
              rows={consumerRows(consumers, new Map([...providerNames(report.tree), ...namesByUuid(report.shared)]))}
              isCut={consumers_truncated}
              by={scarcestFirst(report.host.resource_classes)[0] ?? ''}
              root={report.tree.name}
            />,
          ),
        },
        {
          value: 'flavors',
          label: `Flavors: ${countText(fitting)} of ${countText(flavors.length)}${more(flavors_truncated)} fit`,
          content: below('Flavors', <FittingFlavors report={report} />),
        },
        {
          value: 'decisions',
          label: `Decisions ${countText(decisions.length)}`,
          content: below('Decisions', <LastDecisions decisions={decisions} />),
        },
      ]}
      own={['sort', 'q']}
    />
  );
}

function Tree({ report: { host, service, tree, tree_truncated, shared } }: { readonly report: HostReport }) {
  const drawing = useRef<HTMLDivElement>(null);
  const names = useMemo(() => namesByUuid(host.host_aggregates), [host.host_aggregates]);
  return (
    <Stack gap="sm">
      <Group justify="space-between">
        <Title order={2} size="h5">
          {host.providers > 1 ? `The whole tree, ${countText(host.providers)} providers` : 'The provider'}
        </Title>
        <PngButton name={`tree-${host.name}`} of={drawing} />
      </Group>
      {tree_truncated && <Alert color="yellow">The tree has more providers than are drawn.</Alert>}
      {service?.status === 'disabled' && host.host !== null && (
        <Group gap="xs">
          <Text>{`${DISABLED_TRAIT} is set by the compute service. To remove it, enable the host:`}</Text>
          <ServiceSwitch host={host.host} service={service} />
        </Group>
      )}
      <Stack gap="sm" ref={drawing}>
        {host.providers > 1 && (
          <Paper withBorder px="md" py="sm">
            <Bars figures={host.resource_classes} />
          </Paper>
        )}
        <ProviderBox node={tree} aggregateNames={names} isServed={service !== null} />
        {shared.length > 0 && (
          <>
            <Title order={2} size="h5" mt="xs">
              Shared with it
            </Title>
            <Note>Not part of the tree: others whose aggregates it is in give it what it lacks.</Note>
            <SharedBoxes shared={shared} names={names} />
          </>
        )}
      </Stack>
    </Stack>
  );
}
