// How many instances a host has, as far as that is known: a report that lists none says nothing of who uses the host when
// something does.
import type { HostRow } from '../service/reports';
import { countText } from './amount';

type Counted = Pick<HostRow, 'host' | 'instances' | 'resource_classes'>;

export const isUnreported = ({ host, instances, resource_classes: classes }: Counted): boolean =>
  host !== null && instances === 0 && Object.values(classes).some(({ used }) => used > 0);

export const instancesText = (host: Counted): string =>
  isUnreported(host) ? 'not reported' : countText(host.instances);
