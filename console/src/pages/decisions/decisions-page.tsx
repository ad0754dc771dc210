import { PageHead } from '../../shown/page-head';

export default function DecisionsPage() {
  return <PageHead title="Decisions" />;
}
