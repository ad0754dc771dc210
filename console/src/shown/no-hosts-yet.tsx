// Shown for a cloud without hosts: the ways to add some.
import { Stack, Text } from '@mantine/core';
import { SERVICE_URL } from '../address/base';
import { useSession } from '../session/session';
import { CommandText } from './copy-text';
import { EmptyState } from './empty-state';

const REPORT = '{"vcpus_total": 16, "memory_mb": 65536, "local_gb": 500, "report_providers": true}';

export function NoHostsYet() {
  const { config } = useSession();
  const token = config.logins.includes('noauth') ? 'admin' : '$TOKEN';
  const report = [
    `curl -X PUT ${SERVICE_URL}/scheduler/hosts/cn1/cn1`,
    `-H 'x-auth-token: ${token}'`,
    "-H 'content-type: application/json'",
    `-d '${REPORT}'`,
  ].join(' \\\n  ');
  return (
    <EmptyState title="No hosts yet">
      <Stack gap="sm" ta="left" mt="xs">
        <Text>
          Let a host report. With report_providers its resource provider and inventories are made from what it says:
        </Text>
        <CommandText command={report} />
        <Text>Or create resource providers yourself; a root provider is a host as it is:</Text>
        <CommandText command="openstack resource provider create cn1" />
        <Text>Or load a cloud to look around in, from a checkout of Berth:</Text>
        <CommandText command={`npm run demo -- --keep --url ${SERVICE_URL}`} />
      </Stack>
    </EmptyState>
  );
}
