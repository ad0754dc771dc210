// Runs the command `berth` in this process, as a shell would.
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
): Promise<CommandResult> {
  const said = { out: '', err: '' };
  const streams = { stdout: (text: string) => (said.out += text), stderr: (text: string) => (said.err += text) };
  return { code: await runCli(args, streams, { env: { ...env }, cwd }), ...said };
}
