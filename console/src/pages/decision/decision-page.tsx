import { PageHead } from '../../shown/page-head';

export default function DecisionPage() {
  return <PageHead title="Decision" />;
}
