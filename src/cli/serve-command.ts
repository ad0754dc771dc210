// `berth serve`: runs the service in this process.
import type { Command } from 'commander';
import { Option } from 'commander';
import type { CommandContext } from './command-context';
import { lenientOption, runs } from './command-context';

export function addServe(program: Command, context: CommandContext): void {
  program
    .command('serve')
    .description('run the service')
    .addOption(lenientOption())
    .addOption(new Option('--workers <n>', 'processes that share the port, instead of BERTH_WORKERS'))
    .action(
      runs(context, async ({ lenient, workers }: { lenient?: true; workers?: string }) => {
        // Workers inherit the environment but not the arguments, so both options become environment variables.
        if (lenient) context.env['BERTH_LENIENT'] = '1';
        if (workers !== undefined) context.env['BERTH_WORKERS'] = workers;
        await import('../main.js');
      }),
    );
}
