// The claims of one pass, in the order of the attempts.
import { Table, Text } from '@mantine/core';
import { countText } from '../../shown/amount';
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

export function ClaimsTable({ pass }: { readonly pass: Pick<Pass, 'claims' | 'claims_truncated'> }) {
  return (
    <>
      <Table.ScrollContainer minWidth={420}>
        <Table verticalSpacing={4} aria-label="Claims">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Host</Table.Th>
              <Table.Th ta="right">Candidate</Table.Th>
              <Table.Th ta="right">Tries</Table.Th>
              <Table.Th>Outcome</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody className="numbers">
            {pass.claims.map((claim, at) => (
              <Table.Tr key={at}>
                <Table.Td>
                  <HostAnchor host={claim} />
                </Table.Td>
                <Table.Td ta="right">{countText(claim.candidate + 1)}</Table.Td>
                <Table.Td ta="right">{countText(claim.attempts)}</Table.Td>
                <Table.Td>{claim.message ?? OUTCOME_TEXTS[claim.outcome]}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {pass.claims_truncated && (
        <Text size="xs" c="dimmed">
          There were more claims than the record lists.
        </Text>
      )}
    </>
  );
}
