// What a command prints on a terminal: colours, and again and again with --watch.
import { Command } from 'commander';
import type { CommandStreams } from '../command-context';
import { CommandFailed, contextOf } from '../command-context';
import type { Printing } from './printing';
import { printListing } from './printing';
import { asks, remote, watchOption } from './remote-command';

type Show = (streams: CommandStreams, printing: Printing) => void;

const hostIs =
  (state: string): Show =>
  (streams, printing) =>
    printListing(streams, printing, {
      document: [],
      columns: ['host', 'state'],
      rows: [{ host: 'h\u001b1', state }],
      name: 'host',
      empty: '',
    });

/** Runs `berth hosts` with the arguments on a terminal; returns what it writes there, and next to it. */
async function run(show: Show, args: readonly string[], terminal: CommandStreams['terminal']): Promise<string> {
  let piped = '';
  const add = (text: string): void => void (piped += text);
  const context = contextOf({ stdout: add, stderr: add, terminal }, {}, '.');
  const program = new Command().exitOverride();
  remote(program, context, 'hosts', 'list', [])
    .addOption(watchOption())
    .action(asks<Printing>(context, async (_client, streams, printing) => show(streams, printing)));
  await program.parseAsync(['hosts', ...args], { from: 'user' });
  return piped;
}

it('states are coloured on a terminal, and names cannot colour anything', async () => {
  let written = '';
  const write = (text: string): void => void (written += text);
  expect(await run(hostIs('down'), [], { write, hasColours: true })).toBe('');
  expect(written).toBe('\u001b[1mhost\u001b[22m      \u001b[1mstate\u001b[22m\nh\\u001b1  \u001b[31mdown\u001b[39m\n');
});

it.each([
  ['in a pipe', undefined],
  ['with NO_COLOR', { write: () => undefined, hasColours: false }],
])('nothing is coloured %s', async (_, terminal) =>
  expect(await run(hostIs('down'), [], terminal)).toBe('host      state\nh\\u001b1  down\n'),
);

it('is printed again in place, also after an error', async () => {
  const screens: string[] = [];
  const write = (text: string): void => {
    screens.push(text);
    if (screens.length === 3) throw new Error('Ctrl + C');
  };
  const show: Show = (...given) => {
    if (screens.length === 1) throw new CommandFailed('no service');
    hostIs(`up${screens.length}`)(...given);
  };
  await expect(run(show, ['--watch'], { write, hasColours: false })).rejects.toThrow('Ctrl + C');
  expect(screens).toEqual([
    '\u001b[H\u001b[2Jhost      state\nh\\u001b1  up0\n',
    '\u001b[H\u001b[2Jberth: no service\n',
    '\u001b[H\u001b[2Jhost      state\nh\\u001b1  up2\n',
  ]);
}, 20_000);

it('needs a terminal to print again', () =>
  expect(run(hostIs('up'), ['--watch'], undefined)).rejects.toThrow('--watch needs a terminal.'));
