import { PageHead } from '../../shown/page-head';

export default function TraitsPage() {
  return <PageHead title="Traits" />;
}
