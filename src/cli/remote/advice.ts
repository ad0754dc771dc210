// `berth advice`: problems of the cloud, and the commands that solve them.
import type { Schema } from '../../../client/src/routes.ts';
import type { Action } from './printing';
import { printDocument } from './printing';
import { readable } from './readable';

type Advice = Schema<'Advice'>;

export const showAdvice: Action = async (client, streams, printing) => {
  const advice = await client.get<Advice>('/reports/advice');
  printDocument(streams, printing, advice, {
    text: () => textOf(advice),
    names: advice.advice.map(({ kind }) => kind),
  });
};

function textOf({ advice, age_s: age, truncated }: Advice): string {
  if (age === null) return 'The service looks for problems now. Ask again in some seconds.\n';
  if (advice.length === 0) return 'All is well.\n';
  const pieces = advice.map(({ severity, sentence, commands, alternatives }) =>
    [
      `${severity}: ${readable(sentence)}`,
      ...commands.map((each) => `    ${each}`),
      ...(alternatives.length === 0 ? [] : ['  or', ...alternatives.map((each) => `    ${each}`)]),
    ].join('\n'),
  );
  return `${[...pieces, ...(truncated ? ['… and more'] : [])].join('\n')}\n`;
}
