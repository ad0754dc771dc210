// Chooses what the command line asks for. Exit codes: 0 done, 1 something is wrong, 2 the command line is.
import { environmentOf, runConfigCommand } from '../config/config-command';
import { loadConfigWithPlugins, pluginsAndOptions, startProblems } from '../scheduler/scheduler-of-config';
import { VERSION } from '../version';
import { simulateFile } from './simulate-command';
import { bumpGraph, migrateDatabase, verifyDatabase } from './database-commands';

const USAGE = `usage: berth COMMAND

  serve [--lenient]           run the service; --lenient lets options of other services pass (a nova.conf)
  migrate                     bring the database to the newest schema
  verify                      check that usage, capacity, consumers and trees are right
  graph bump                  tell all readers that the database was changed by hand
  simulate FILE|-             decide requests on described clouds, one JSON document per line
  config show|check [FILE]    show or check the configuration
  --version                   print the version
`;

export async function runCli(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  const input = { env: process.env, cwd: process.cwd() };
  switch (command) {
    case 'serve':
      if (rest.some((option) => option !== '--lenient')) return usage();
      // Workers inherit the environment, not the arguments.
      if (rest.length > 0) process.env['BERTH_LENIENT'] = '1';
      await import('../main.js');
      return 0;
    case 'migrate':
      return migrateDatabase((await loadConfigWithPlugins(input)).config, print);
    case 'verify':
      return verifyDatabase((await loadConfigWithPlugins(input)).config, print);
    case 'graph':
      if (rest.join(' ') !== 'bump') return usage();
      return bumpGraph((await loadConfigWithPlugins(input)).config, print);
    case 'simulate': {
      const [file, ...surplus] = rest;
      if (file === undefined || surplus.length > 0) return usage();
      return simulateFile(file, await loadConfigWithPlugins(input));
    }
    case 'config': {
      const sources = { ...input, env: environmentOf(rest, input.env) };
      const { plugins, extraOptions } = await pluginsAndOptions(sources);
      return runConfigCommand(rest, {
        ...input,
        extraOptions,
        judge: (config) => startProblems({ config, plugins }),
        stdout: (text) => process.stdout.write(text),
        stderr: (text) => process.stderr.write(text),
      });
    }
    case '--version':
      print(VERSION);
      return 0;
    case '--help':
    case 'help':
      print(USAGE);
      return 0;
    default:
      return usage();
  }
}

function usage(): number {
  process.stderr.write(USAGE);
  return 2;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
