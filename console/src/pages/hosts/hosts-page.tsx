import { PageHead } from '../../shown/page-head';

export default function HostsPage() {
  return <PageHead title="Hosts" />;
}
