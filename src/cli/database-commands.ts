// Database commands: migrate the schema, verify and repair the data, notify readers of manual changes.
import type { Command } from 'commander';
import { bumpProviders } from '../placement/resource-providers/bump-providers';
import { syncStandardNames } from '../placement/standard-names';
import type { PlatformConfig } from '../platform/config/platform-config';
import { WHOLE_LOAD } from '../platform/database/database';
import { findBrokenLaws } from '../transfer/verify/broken-laws';
import { repairDatabase } from '../transfer/verify/repair';
import { withDatabase } from './command-application';
import type { CommandContext } from './command-context';
import { addGroup, CommandFailed, EXIT, JSON_OPTION, runs } from './command-context';
import { renderJson, renderTable } from './table';

const SHOWN = 100;

export function addDatabaseCommands(program: Command, context: CommandContext): void {
  const migrate = addGroup(program, 'migrate', 'migrate the database to the newest schema, or show its version');
  migrate
    .command('up', { isDefault: true })
    .description('run what is missing; the same as "berth migrate"')
    .action(runs(context, () => migrateUp(context)));
  migrate
    .command('status')
    .description('list the migrations; exit code 1 if any is missing')
    .option(...JSON_OPTION)
    .action(runs(context, ({ json }: { json?: true }) => migrationStatus(context, json === true)));
  program
    .command('verify')
    .description('check that references, usage, capacity, consumers and trees are right; exit code 1 if not')
    .option('--repair', 'print the repairs and their reasons')
    .option('--yes', 'with --repair: do it')
    .option(...JSON_OPTION)
    .action(runs(context, (options: VerifyOptions) => verifyOrRepair(context, options)));
  addGroup(program, 'graph', 'what the running processes hold in memory')
    .command('bump')
    .description('make all processes reload after manual changes to the database')
    .action(runs(context, () => bump(context)));
}

interface VerifyOptions {
  readonly repair?: true;
  readonly yes?: true;
  readonly json?: true;
}

const configOf = async ({ loadConfig }: CommandContext): Promise<PlatformConfig> => (await loadConfig()).config;

const migrateUp = async (context: CommandContext): Promise<void> =>
  withDatabase(
    await configOf(context),
    async (opened) => {
      const done = await opened.migrate();
      for (const name of done) context.stdout(`migrated: ${name}\n`);
      const added = await syncStandardNames(opened.database, Date.now());
      context.stdout(`${done.length} migrations run, ${added} standard names added\n`);
    },
    'new',
  );

const migrationStatus = async (context: CommandContext, isJson: boolean): Promise<number> =>
  withDatabase(
    await configOf(context),
    async (opened) => {
      const states = await opened.migrations();
      const newer = await opened.newerMigrations();
      const rows = [
        ...states.map(({ name, isDone }) => ({ migration: name, state: isDone ? 'done' : 'missing' })),
        ...newer.map((name) => ({ migration: name, state: 'made by a newer version' })),
      ];
      context.stdout(isJson ? renderJson(rows) : renderTable(['migration', 'state'], rows));
      return states.every(({ isDone }) => isDone) ? EXIT.done : EXIT.failed;
    },
    'any',
  );

async function verifyOrRepair(
  context: CommandContext,
  { repair: isRepair, yes, json }: VerifyOptions,
): Promise<number> {
  if (isRepair) return repair(context, yes === true);
  if (yes) throw new CommandFailed('--yes requires --repair.');
  return verify(context, json === true);
}

const verify = async (context: CommandContext, isJson: boolean): Promise<number> =>
  withDatabase(await configOf(context), async ({ database }) => {
    const broken = await database.readSnapshot(findBrokenLaws, WHOLE_LOAD);
    if (isJson) context.stdout(renderJson(broken));
    else {
      for (const { law, subject, detail } of broken.slice(0, SHOWN)) context.stdout(`${law}: ${subject}: ${detail}\n`);
      if (broken.length > SHOWN) context.stdout(`… and ${broken.length - SHOWN} more\n`);
      context.stdout(broken.length === 0 ? 'The database is consistent.\n' : `${broken.length} faults found.\n`);
    }
    return broken.length === 0 ? EXIT.done : EXIT.failed;
  });

const bump = async (context: CommandContext): Promise<void> =>
  withDatabase(await configOf(context), async ({ database }) => {
    context.stdout(`${await bumpProviders(database)} providers marked as changed\n`);
  });

/** Dry run unless `isSure` is set. */
const repair = async (context: CommandContext, isSure: boolean): Promise<number> =>
  withDatabase(await configOf(context), async ({ database }) => {
    const report = (text: string): void => context.stdout(`${isSure ? '' : 'would be: '}${text}\n`);
    const { found, repaired } = await repairDatabase(database, !isSure, report);
    if (found === 0) context.stdout('Nothing to repair.\n');
    else if (!isSure) context.stdout(`${found} repairs; nothing was changed. With --yes they are carried out.\n`);
    else context.stdout(`${repaired} of ${found} faults repaired.\n`);
    if (isSure) return verify(context, false);
    return found === 0 ? EXIT.done : EXIT.failed;
  });
