// The claims of one pass, in the order of the attempts.
import { countText } from '../../shown/amount';
import type { Column } from '../../shown/data-table';
import { Note } from '../../shown/note';
import { SmallTable } from '../../shown/small-table';
import type { Pass } from './decision-document';
import { HostAnchor } from './fallen-hosts';

type Claim = Pass['claims'][number];

const OUTCOME_TEXTS: Readonly<Record<Claim['outcome'], string>> = {
  claimed: 'Claimed',
  no_capacity: 'Another request took the capacity',
  conflict: 'Others kept writing to it',
  consumer_exists: 'The instance had allocations already',
  policy: 'The server group allows it no more',
  host_unavailable: 'Its compute service stopped meanwhile',
};

const COLUMNS: readonly Column<Claim>[] = [
  { key: 'host', name: 'Host', cell: (claim) => <HostAnchor host={claim} /> },
  { key: 'candidate', name: 'Candidate', align: 'right', cell: ({ candidate }) => countText(candidate + 1) },
  { key: 'attempts', name: 'Tries', align: 'right', cell: ({ attempts }) => countText(attempts) },
  { key: 'outcome', name: 'Outcome', cell: ({ message, outcome }) => message ?? OUTCOME_TEXTS[outcome] },
];

export function ClaimsTable({ pass }: { readonly pass: Pick<Pass, 'claims' | 'claims_truncated'> }) {
  return (
    <>
      <SmallTable label="Claims" columns={COLUMNS} rows={pass.claims} keyOf={(_, at) => String(at)} minWidth={420} />
      {pass.claims_truncated && <Note>There were more claims than the record lists.</Note>}
    </>
  );
}
