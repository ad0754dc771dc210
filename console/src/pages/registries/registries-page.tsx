import { PageHead } from '../../shown/page-head';

export default function RegistriesPage() {
  return <PageHead title="Registries" />;
}
