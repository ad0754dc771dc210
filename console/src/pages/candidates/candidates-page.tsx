// The candidates of a request and the reasons for the rest: the query, the candidates by tree, the rejected trees.
import { Alert, Group, Stack, Title } from '@mantine/core';
import { useMemo } from 'react';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import { countOf } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { EmptyState } from '../../shown/empty-state';
import { PageHead } from '../../shown/page-head';
import { CandidateCards } from './candidate-cards';
import { Explanation } from './explanation';
import { QueryEditor } from './query-editor';
import type { FormQuery } from './query-form';
import { FIRST_QUERY, readQuery, writeQuery } from './query-form';

export default function CandidatesPage() {
  const address = useAddress();
  const asked = address.get('q');
  const query = useMemo(() => (asked === '' ? FIRST_QUERY : readQuery(asked).query), [asked]);
  const candidates = useAnswer(
    'hosts',
    ['candidates', asked],
    ({ placement }, signal) => placement.candidates.list(new URLSearchParams(asked), { signal }),
    { enabled: asked !== '', keepsPrevious: false },
  );
  const search = (text: string): void => {
    if (text === asked) void candidates.refetch();
    else address.set({ q: text }, 'push');
  };
  return (
    <>
      <PageHead title="Candidates" subtitle="What a request would get from placement now. Nothing is claimed." />
      <Stack gap="lg">
        <QueryEditor key={asked} query={query} isBusy={candidates.isFetching} onSearch={search} />
        {asked === '' ? (
          <EmptyState title="Nothing asked yet">
            Enter the request and press Search, or paste the query of a decision.
          </EmptyState>
        ) : (
          <Answered question={candidates}>
            {(found) => (
              <>
                <section aria-label="Candidates found" aria-live="polite">
                  <Group justify="space-between" mb="xs">
                    <Title order={2} size="h4">
                      {summaryOf(found.allocation_requests.length, query)}
                    </Title>
                  </Group>
                  {found.incomplete && (
                    <Alert color="orange" mb="sm">
                      The work that one search may cost ran out: there may be more than these.
                    </Alert>
                  )}
                  <CandidateCards found={found} />
                </section>
                <Explanation asked={asked} query={query} onFix={(fixed) => search(writeQuery(fixed))} />
              </>
            )}
          </Answered>
        )}
      </Stack>
    </>
  );
}

function summaryOf(count: number, query: FormQuery): string {
  if (count === 0) return 'No provider can serve this request';
  const isCut = query.limit !== '' && count >= Number(query.limit);
  return `${countOf(count, 'candidate')}${isCut ? ', as many as were asked for' : ''}`;
}
