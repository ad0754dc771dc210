// `berth advice`: problems of the cloud, and the commands that solve them.
import type { Schema } from '../../../client/src/routes.ts';
import type { CommandStreams } from '../command-context';
import type { Printing } from './printing';
import { printDocument } from './printing';
import type { ServiceClient } from './service-client';

type Advice = Schema<'Advice'>;

export async function showAdvice(client: ServiceClient, streams: CommandStreams, printing: Printing): Promise<void> {
  const advice = await client.get<Advice>('/reports/advice');
  printDocument(streams, printing, advice, {
    text: () => textOf(advice),
    names: advice.advice.map(({ kind }) => kind),
  });
}

function textOf({ advice, age_s: age, truncated }: Advice): string {
  if (age === null) return 'The service looks for problems now. Ask again in some seconds.\n';
  if (advice.length === 0) return 'All is well.\n';
  const pieces = advice.map(({ severity, sentence, commands, alternatives }) =>
    [
      `${severity}: ${sentence}`,
      ...commands.map((each) => `    ${each}`),
      ...(alternatives.length === 0 ? [] : ['  or', ...alternatives.map((each) => `    ${each}`)]),
    ].join('\n'),
  );
  return `${[...pieces, ...(truncated ? ['… and more'] : [])].join('\n')}\n`;
}
