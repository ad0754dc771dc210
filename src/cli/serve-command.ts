// `berth serve`: runs the service in this process.
import type { Command } from 'commander';
import type { CommandContext } from './command-context';
import { runs } from './command-context';

export function addServe(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the service')
    .action(
      runs(context, async () => {
        await import('../main.js');
      }),
    );
}
