// The instance count of a host, if known. A host that reports no instances but has allocations is shown as unreported.
import type { HostRow } from '../service/reports';
import { countText } from './amount';

type Counted = Pick<HostRow, 'host' | 'instances' | 'resource_classes'>;

export const isUnreported = ({ host, instances, resource_classes: classes }: Counted): boolean =>
  host !== null && instances === 0 && Object.values(classes).some(({ used }) => used > 0);

export const instancesText = (host: Counted): string =>
  isUnreported(host) ? 'not reported' : countText(host.instances);
