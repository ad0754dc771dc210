// `berth serve`: runs the service in this process.
import type { Command } from 'commander';
import type { CommandContext } from './command-context';
import { lenientOption, runs } from './command-context';

export function addServe(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the service')
    .addOption(lenientOption())
    .action(
      runs(context, async ({ lenient }: { lenient?: true }) => {
        if (lenient) context.env['BERTH_LENIENT'] = '1';
        await import('../main.js');
      }),
    );
}
