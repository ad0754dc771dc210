// Why the other trees have no candidate, and changes of the query that would help.
import { Paper, Stack, Text } from '@mantine/core';
import { useAnswer } from '../../service/questions';
import { countOf, countText } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { countBy } from '../../shown/count-by';
import { Note } from '../../shown/note';
import { Part } from '../../shown/part';
import { Refusal } from '../../shown/refusal';
import { Sentence } from '../../shown/sentence';
import { fallenOf } from '../decision/decision-stages';
import { FallenHosts } from '../decision/fallen-hosts';
import { changedQuery } from './changed-query';
import type { FormQuery } from './query-form';

interface Props {
  readonly asked: string;
  readonly query: FormQuery;
  readonly onFix: (query: FormQuery) => void;
}

export function Explanation({ asked, query, onFix }: Props) {
  const question = useAnswer(
    'hosts',
    ['explained candidates', asked],
    ({ placement }, signal) => placement.candidates.explain(new URLSearchParams(asked), { signal }),
    { keepsPrevious: false },
  );
  return (
    <Paper withBorder p="md" component="section" aria-label="Explanation">
      <Answered question={question}>
        {(explained) => {
          const { trees, sentence, fixes, rejections, truncated } = explained;
          const rejected = rejections.map(({ root, name, ...why }) => ({ ...why, host: name, uuid: root }));
          const counts = Object.fromEntries(countBy(rejected.map(({ code }) => code)));
          return (
            <Stack gap="lg">
              {sentence === null ? (
                <Text>{`${countText(trees.fit)} of ${countOf(trees.total, 'tree')} can serve it.`}</Text>
              ) : (
                <Sentence text={sentence} fw={600} />
              )}
              <Refusal
                refusal={explained}
                changes={fixes}
                applyOf={(change) => {
                  const changed = changedQuery(query, change);
                  return changed && (() => onFix(changed));
                }}
              />
              {rejected.length > 0 && (
                <Part title="Why the others fell out">
                  <FallenHosts groups={fallenOf({ by_code: counts, hosts: rejected })} />
                  {truncated && <Note>There are more than are listed here.</Note>}
                </Part>
              )}
            </Stack>
          );
        }}
      </Answered>
    </Paper>
  );
}
