import { PageHead } from '../../shown/page-head';

export default function CandidatesPage() {
  return <PageHead title="Candidates" />;
}
