import { PageHead } from '../../shown/page-head';

export default function WhatIfPage() {
  return <PageHead title="WhatIf" />;
}
