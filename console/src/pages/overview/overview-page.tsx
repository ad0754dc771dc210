import { PageHead } from '../../shown/page-head';

export default function OverviewPage() {
  return <PageHead title="Overview" />;
}
