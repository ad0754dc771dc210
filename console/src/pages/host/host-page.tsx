import { PageHead } from '../../shown/page-head';

export default function HostPage() {
  return <PageHead title="Host" />;
}
