// State, zone, aggregates and hypervisor of a host in one line.
import { Badge, Group, Text } from '@mantine/core';
import { pathTo } from '../../address/path-to';
import type { HostReport } from '../../service/reports';
import { countOf } from '../../shown/amount';
import { isUnreported } from '../../shown/instances-text';
import { TextLink } from '../../shown/page-link';
import { StatusMark } from '../../shown/status-mark';
import { TimeText } from '../../shown/time-text';

export function HostFacts({ report }: { readonly report: HostReport }) {
  const { host, service, hypervisor } = report;
  const zone = host.availability_zone;
  return (
    <Group gap="sm" mt={4}>
      <StatusMark status={host.status} reason={host.status_reason} lastSeen={host.last_seen_up} />
      {service?.forced_down === true && host.status !== 'down' && (
        <Badge color="red" variant="filled">
          forced down
        </Badge>
      )}
      {reasonOf(service) !== null && <Text span>{reasonOf(service)}</Text>}
      {service !== null && (
        <Text span>
          last seen up <TimeText at={service.last_seen_up} />
        </Text>
      )}
      <Text span>
        {zone === null ? (
          'in no zone'
        ) : (
          <>
            zone <TextLink to={pathTo('/hosts', { availability_zone: zone })}>{zone}</TextLink>
          </>
        )}
      </Text>
      {host.host_aggregates.length > 0 && (
        <Text span>
          {host.host_aggregates.length === 1 ? 'host aggregate ' : 'host aggregates '}
          {host.host_aggregates.map(({ uuid, name }, at) => (
            <span key={uuid}>
              {at > 0 && ', '}
              <TextLink to={`/hosts?host_aggregate=${uuid}`}>{name}</TextLink>
            </span>
          ))}
        </Text>
      )}
      {typeof hypervisor?.type === 'string' && (
        <Text span>{[hypervisor.type, versionText(hypervisor.version)].join(' ')}</Text>
      )}
      {host.node !== null && host.node !== host.host && <Text span>node of {host.host}</Text>}
      <Text span>{isUnreported(host) ? 'instances not reported' : countOf(host.instances, 'instance')}</Text>
    </Group>
  );
}

const reasonOf = (service: HostReport['service']): string | null =>
  service?.status === 'disabled' ? service.disabled_reason : null;

/** Hypervisors report 8002001 for 8.2.1. */
function versionText(version: number | string | null): string {
  if (typeof version !== 'number' || version < 1_000_000) return String(version ?? '');
  return [Math.floor(version / 1_000_000), Math.floor(version / 1_000) % 1_000, version % 1_000].join('.');
}
