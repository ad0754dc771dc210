// The hosts of a group without its shared pools, which the report counts as roots.
import type { CapacityGroup } from '../../service/reports';

export function realHosts({ hosts, hosts_usable: usable, statuses }: CapacityGroup) {
  const pools = statuses.sharing ?? 0;
  return { hosts: hosts - pools, usable: usable - pools } as const;
}
