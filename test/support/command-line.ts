// Runs the command `berth` in this process, as a shell would. `heard` receives the output while it runs.
import { tmpdir } from 'node:os';
import { runCli } from '../../src/cli/program';

export interface CommandResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export async function berth(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  cwd = tmpdir(),
  heard: (text: string) => void = () => undefined,
): Promise<CommandResult> {
  const said = { out: '', err: '' };
  const stdout = (text: string): void => {
    said.out += text;
    heard(text);
  };
  const streams = { stdout, stderr: (text: string) => (said.err += text) };
  return { code: await runCli(args, streams, { env: { ...env }, cwd }), ...said };
}
