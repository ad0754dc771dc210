// A transcript: an operator's commands and their output, as Markdown. `ini` blocks configure the service; after
// commands, such a block starts another service on the same database for the following commands. `js` blocks are files
// whose first line is a comment with the name. `console` blocks contain commands: lines that start with `$ ` (`> `
// continues a line); the others are output. `…` stands for any text in a line; alone in a line, for any number of
// lines. Whitespace and table frames are equivalent.

interface TypedCommand {
  readonly command: string;
  readonly expected: readonly string[];
  /** Line in the file, starting at 1. */
  readonly line: number;
}

interface WrittenFile {
  readonly name: string;
  readonly text: string;
}

/** The commands for one service. */
interface Served {
  /** Text of the configuration file. */
  readonly configuration: string;
  readonly commands: readonly TypedCommand[];
}

export interface Transcript {
  readonly title: string;
  /** Files next to the configuration. */
  readonly files: readonly WrittenFile[];
  /** Consecutive services, at least one. */
  readonly services: readonly [Served, ...Served[]];
}

const FENCE = /^```(\w*)/;
const ANY = '…';

interface ReadService {
  readonly configuration: string[];
  readonly commands: { command: string; expected: string[]; line: number }[];
}

export function readTranscript(text: string): Transcript {
  const lines = text.split('\n');
  const scripts: string[][] = [];
  const services: [ReadService, ...ReadService[]] = [{ configuration: [], commands: [] }];
  let block: string | undefined;
  for (const [at, line] of lines.entries()) {
    const fence = FENCE.exec(line);
    const { configuration, commands } = services.at(-1) ?? services[0];
    if (fence !== null) {
      block = block === undefined ? fence[1] : undefined;
      if (block === 'js') scripts.push([]);
      if (block === 'ini' && commands.length > 0) services.push({ configuration: [], commands: [] });
    } else if (block === 'js') scripts.at(-1)?.push(line);
    else if (block === 'ini') configuration.push(line);
    else if (block === 'console') addLine(commands, line, at + 1);
  }
  const title = /^# (.*)$/m.exec(text)?.[1] ?? '';
  const [first, ...others] = services;
  return { title, files: scripts.map(fileOf), services: [served(first), ...others.map(served)] };
}

const served = ({ configuration, commands }: ReadService): Served => ({
  configuration: configuration.join('\n'),
  commands,
});

function fileOf(lines: readonly string[]): WrittenFile {
  const name = /^\/\/ (\S+)$/.exec(lines[0] ?? '')?.[1];
  if (name === undefined) throw new Error('a script does not begin with a comment that names its file');
  return { name, text: `${lines.join('\n')}\n` };
}

function addLine(commands: { command: string; expected: string[]; line: number }[], line: string, at: number): void {
  const last = commands.at(-1);
  if (line.startsWith('$ ')) commands.push({ command: line.slice(2), expected: [], line: at });
  else if (last === undefined) throw new Error(`line ${at}: an answer without a command`);
  else if (line.startsWith('> ')) last.command += `\n${line.slice(2)}`;
  else if (line !== '') last.expected.push(line);
}

/** The differences between the output and the transcript; null: none that matters. */
export function differenceOf(expected: readonly string[], printed: string): string | null {
  const heard = printed
    .split('\n')
    .map(plain)
    .filter((line) => line !== '');
  const wanted = expected.map(plain).filter((line) => line !== '');
  if (isLike(wanted, heard)) return null;
  return [`expected:`, ...wanted.map((line) => `  ${line}`), 'printed:', ...heard.map((line) => `  ${line}`)].join(
    '\n',
  );
}

const plain = (line: string): string => line.replaceAll(/-{2,}/g, '--').replaceAll(/\s+/g, ' ').trim();

function isLike(wanted: readonly string[], heard: readonly string[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return heard.length === 0;
  if (first === ANY) return heard.some((_, at) => isLike(rest, heard.slice(at))) || isLike(rest, []);
  const [line, ...others] = heard;
  return line !== undefined && isLineLike(first, line) && isLike(rest, others);
}

function isLineLike(wanted: string, heard: string): boolean {
  const parts = wanted.split(ANY).map((part) => part.trim().replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'u').test(heard);
}
