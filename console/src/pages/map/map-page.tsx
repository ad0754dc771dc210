import { PageHead } from '../../shown/page-head';

export default function MapPage() {
  return <PageHead title="Map" />;
}
