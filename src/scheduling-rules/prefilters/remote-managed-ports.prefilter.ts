// Remote managed ports: ports switched by a device instead of the host need hosts that support them. Always on.

import { definePrefilter } from '../pipeline/define-prefilter';

export const remoteManagedPortsPrefilter = definePrefilter({
  name: 'RemoteManagedPortsPrefilter',
  summary: 'Requires COMPUTE_REMOTE_MANAGED_PORTS of the host when a requested port is of that kind.',
  reads: ['requested_networks'],
  apply: ({ requestedNetworks }, { add, nothing }) => {
    const port = requestedNetworks?.find(({ vnicType }) => vnicType === 'remote-managed');
    if (port === undefined) return nothing('no requested port is remote managed');
    return add(
      { rootRequired: ['COMPUTE_REMOTE_MANAGED_PORTS'] },
      `port ${port.portId ?? `of network ${port.networkId ?? 'unknown'}`} is remote managed`,
    );
  },
});
