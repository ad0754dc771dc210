// Number of hosts by status and number of instances, with links to those hosts.
import { Group, SimpleGrid, Text } from '@mantine/core';
import type { CapacityGroup } from '../../service/reports';
import { countText } from '../../shown/amount';
import { PageLink } from '../../shown/page-link';
import { Panel } from '../../shown/part';
import { StatusMark } from '../../shown/status-mark';
import { STATUS_NAMES, STATUSES } from '../../shown/status-text';
import { realHosts } from './real-hosts';

export function HostsPanel({ cloud }: { readonly cloud: CapacityGroup }) {
  const { statuses, instances } = cloud;
  const { hosts } = realHosts(cloud);
  return (
    <Panel title="Hosts">
      <Group gap="xl" mb="sm">
        <Total name={hosts === 1 ? 'host' : 'hosts'} count={hosts} to="/hosts" />
        <Total name={instances === 1 ? 'instance' : 'instances'} count={instances} to="/hosts?sort=-instances" />
      </Group>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xl" verticalSpacing={6}>
        {STATUSES.map((status) => {
          const count = statuses[status] ?? 0;
          if (count === 0) return null;
          return (
            <Group key={status} gap="xs" justify="space-between" wrap="nowrap">
              <StatusMark status={status} />
              <PageLink
                to={`/hosts?status=${status}`}
                className="numbers"
                aria-label={`${countText(count)} ${STATUS_NAMES[status]}`}
              >
                {countText(count)}
              </PageLink>
            </Group>
          );
        })}
      </SimpleGrid>
    </Panel>
  );
}

function Total({ name, count, to }: { readonly name: string; readonly count: number; readonly to: string }) {
  return (
    <PageLink to={to} c="var(--mantine-color-text)">
      <Text span size="xl" fw={650} className="numbers">
        {countText(count)}
      </Text>{' '}
      <Text span c="dimmed">
        {name}
      </Text>
    </PageLink>
  );
}
