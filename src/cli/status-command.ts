// `berth status`: checks whether this database and configuration can be upgraded and served. The output format and exit
// codes are those of the reference's upgrade check: 0 success, 1 warning, 2 failure, 255 error.
import type { Command } from 'commander';
import { checkPolicy } from '../platform/auth/load-policy';
import type { PlatformConfig } from '../platform/config/platform-config';
import { WHOLE_LOAD } from '../platform/database/database';
import { OutdatedSchema } from '../platform/database/open-database';
import { errorLines } from '../platform/values/printable';
import { judgeStart } from '../scheduler/assemble/configured-scheduler';
import { findBrokenLaws } from '../transfer/verify/broken-laws';
import type { OpenedDatabase } from './command-application';
import { withDatabase } from './command-application';
import type { CommandContext } from './command-context';
import { JSON_OPTION, runs } from './command-context';
import { renderJson } from './table';

type Result = 'Success' | 'Warning' | 'Failure';

interface Check {
  readonly check: string;
  readonly result: Result;
  readonly details: string;
}

const SEVERITY: Readonly<Record<Result, number>> = { Success: 0, Warning: 1, Failure: 2 };
const ERROR = 255;

export function addStatus(program: Command, context: CommandContext): void {
  program
    .command('status')
    .description('check what an upgrade or a start would stumble over; exit code 0, 1 warning, 2 failure, 255 error')
    .option(...JSON_OPTION)
    .action(
      runs(context, async ({ json }: { json?: true }) => {
        try {
          const checks = await allChecks(context);
          context.stdout(json ? renderJson(checks) : checks.map(blockOf).join(''));
          return Math.max(...checks.map(({ result }) => SEVERITY[result]));
        } catch (error) {
          context.stderr(errorLines(error));
          return ERROR;
        }
      }),
    );
}

async function allChecks(context: CommandContext): Promise<readonly Check[]> {
  const { config, plugins } = await context.loadConfig();
  return [
    ofList('Configuration', 'Failure', judgeStart({ config, plugins }).problems),
    ofList('Old or Unused Options', 'Warning', config.warnings),
    policyFiles(config),
    ...(await withDatabase(config, databaseChecks, 'any').catch((error: unknown) => {
      if (error instanceof OutdatedSchema) return [ofList('Database Schema', 'Failure', [error.message])];
      throw error;
    })),
  ];
}

function policyFiles(config: PlatformConfig): Check {
  const { warnings, problems } = checkPolicy(config);
  return problems.length > 0
    ? ofList('Policy Files', 'Failure', problems)
    : ofList('Policy Files', 'Warning', warnings);
}

async function databaseChecks(opened: OpenedDatabase): Promise<readonly Check[]> {
  const missing = (await opened.migrations()).filter(({ isDone }) => !isDone).map(({ name }) => name);
  if (missing.length > 0) return [ofList('Database Schema', 'Failure', [`missing: ${missing.join(', ')}`])];
  const newer = await opened.newerMigrations();
  const made = newer.length === 0 ? [] : [`made by a newer version of Berth: ${newer.join(', ')}`];
  const schema = ofList('Database Schema', 'Warning', made);
  const broken = await opened.database.readSnapshot(findBrokenLaws, WHOLE_LOAD);
  const laws = broken.length === 0 ? [] : [`${broken.length} faults; "berth verify" lists them`];
  return [schema, ofList('Database Consistency', 'Failure', laws)];
}

const ofList = (check: string, otherwise: Result, problems: readonly string[]): Check => ({
  check,
  result: problems.length === 0 ? 'Success' : otherwise,
  details: problems.length === 0 ? 'None' : problems.join('\n'),
});

const blockOf = ({ check, result, details }: Check): string =>
  `Check: ${check}\nResult: ${result}\nDetails: ${details.replaceAll('\n', '\n         ')}\n\n`;
