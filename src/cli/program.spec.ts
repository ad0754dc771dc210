// The command line: usage output runs no command, and an unknown command is reported with the nearest known name.
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Command } from 'commander';
import { contextOf } from './command-context';
import { completionOf } from './completion';
import { berthProgram, runCli } from './program';

async function berth(...args: readonly string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const streams = { stdout: (text: string) => (said.out += text), stderr: (text: string) => (said.err += text) };
  // A database that cannot be opened: any command that ran would fail.
  const env = { DATABASE_URL: 'sqlite:////nowhere/at/all.db' };
  return { code: await runCli(args, streams, { env, cwd: tmpdir() }), ...said };
}

const silent = { stdout: () => undefined, stderr: () => undefined };
const program = (): Promise<Command> => berthProgram(contextOf(silent, {}, tmpdir()));

function pathsOf(command: Command, path: readonly string[] = []): readonly (readonly string[])[] {
  return [path, ...command.commands.flatMap((each) => pathsOf(each, [...path, each.name()]))];
}

it.each(['--help', '-h'])('every command prints its usage with %s and runs nothing', async (flag) => {
  for (const path of pathsOf(await program())) {
    const { code, out, err } = await berth(...path, flag);
    expect([path, code, err]).toEqual([path, 0, '']);
    expect(out).toContain(['Usage: berth', ...path].join(' '));
  }
});

it('no command runs with an option that it has not', async () => {
  for (const path of pathsOf(await program())) {
    const { code, out, err } = await berth(...path, '--no-such-option');
    expect([path, code, out]).toEqual([path, 2, '']);
    expect(err).toMatch(/unknown option '--no-such-option'|required option/);
  }
});

it('the help lists all commands, the late ones in their place', async () => {
  const names = (await program()).commands.map((command) => command.name());
  const { out } = await berth('--help');
  const listed = out.split('\n').flatMap((line) => /^ {2}([a-z]+) /.exec(line)?.[1] ?? []);
  expect(listed.filter((name) => name !== 'help')).toEqual(names);
});

it.each([
  [['verfy'], 'berth: There is no command "berth verfy". Did you mean "berth verify"?'],
  [['tokn', 'list'], 'Did you mean "berth token"?'],
  [['token', 'lst'], 'There is no command "berth token lst". Did you mean "berth token list"?'],
  [['migrate', 'statis'], 'Did you mean "berth migrate status"?'],
  [['frobnicate'], '"berth --help" lists them'],
  [['hsots'], 'Did you mean "berth hosts"?'],
  [['place', '--flavour', 'm1'], "berth: unknown option '--flavour'\n(Did you mean --flavor?)"],
  [['why', 'h1'], "berth: give '--flavor <flavor>' or '--instance <instance>'"],
  [['serve', 'now'], 'berth: too many arguments'],
  [[], 'Usage: berth'],
  [['graph'], 'Usage: berth graph'],
])('%j runs nothing', async (args, why) => {
  const { code, out, err } = await berth(...args);
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain(why);
});

describe('completion', () => {
  /** `berth` answers in the place of the service. */
  const complete = async (words: readonly string[], answer = 'echo "$1-1"'): Promise<readonly string[]> => {
    const script = `${completionOf(await program(), 'bash')}
berth() { ${answer}; }
COMP_WORDS=(berth ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_berth; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: tmpdir() }).trim().split('\n');
  };

  it.each([
    [['mig'], ['migrate']],
    [
      ['token', 'r'],
      ['revoke', 'rotate'],
    ],
    [['token', 'list', '--j'], ['--json']],
    [
      ['completion', ''],
      ['--help', 'bash', 'fish', 'zsh'],
    ],
    [['why', 'ho'], ['hosts-1']],
    [['why', 'hosts-1', '--fl'], ['--flavor']],
    [['place', '--flavor', ''], ['flavors-1']],
    [['place', '--project', 'p'], ['projects-1']],
    [
      ['trait', 'add', ''],
      ['--help', '--json', '--output', '--timeout', '--token', '--url', 'hosts-1'],
    ],
  ])('of %j', async (words, expected) => expect([...(await complete(words))].sort()).toEqual(expected));

  it('offers nothing without a service, and never runs a name', async () => {
    expect(await complete(['place', '--flavor', 'no-such-flavor'], 'echo "no service" >&2; return 1')).toEqual(['']);
    const names = `printf '%s\\n' 'good' '$(echo bad)' 'b;ad' '\`bad\`'`;
    expect(await complete(['place', '--flavor', ''], names)).toEqual(['good']);
  });

  it('asks the service with a short time limit', async () => {
    const asked = await complete(['host', ''], 'echo "$*" | tr " " _');
    expect(asked).toContain('hosts_-o_name_--timeout_1');
  });

  it('is printed for all shells', async () => {
    expect((await berth('completion', 'bash')).out).toContain('complete -F _berth berth');
    expect((await berth('completion', 'zsh')).out).toContain('bashcompinit');
    expect((await berth('completion', 'fish')).out).toContain("complete -c berth -f -a '(__berth_complete)'");
    expect(await berth('completion', 'tcsh')).toMatchObject({ code: 2, out: '' });
  });
});
