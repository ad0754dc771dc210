import 'reflect-metadata';
import { PassThrough, Readable } from 'node:stream';
import { SCHEDULER_LIMITS } from '../platform/config/limits/scheduler';
import { SimulationService } from '../scheduler/simulate/simulation.service';
import { simulateLines } from './simulate-command';

interface Line {
  readonly outcome?: string;
  readonly request_id?: string;
  readonly selections?: readonly { readonly selected: { readonly host: string } }[];
  readonly errors?: readonly { readonly code: string; readonly detail: string; readonly request_id: string }[];
}

const line = (host: string): string =>
  JSON.stringify({
    hosts: [{ host }],
    request: { num_instances: 1, flavor: { vcpus: 1, memory_mb: 1 }, project_id: 'p', user_id: 'u', explain: 'none' },
  });

async function run(
  chunks: readonly (string | Buffer)[],
  isTTY = false,
): Promise<{ code: number; written: string; lines: readonly Line[]; warnings: string[] }> {
  const output = Object.assign(new PassThrough(), { isTTY });
  const texts: Buffer[] = [];
  output.on('data', (chunk: Buffer) => texts.push(chunk));
  const input = Readable.from(chunks.map((chunk) => Buffer.from(chunk)));
  const warnings: string[] = [];
  const code = await simulateLines(input, output, new SimulationService([], '1'), (text) => void warnings.push(text));
  const written = Buffer.concat(texts).toString();
  return {
    code,
    written,
    warnings,
    lines: written
      .split('\n')
      .slice(0, -1)
      .map((text) => JSON.parse(text) as Line),
  };
}

const hostsIn = (lines: readonly Line[]): (string | undefined)[] =>
  lines.map(({ selections }) => selections?.[0]?.selected.host);

it('answers line by line, in order', async () => {
  const { code, lines } = await run([`${line('a')}\n${line('b')}\n`, `${line('c')}\n`]);
  expect([code, hostsIn(lines)]).toEqual([0, ['a', 'b', 'c']]);
});

it('escapes control characters on a terminal, and only there', async () => {
  const text = `${JSON.stringify({ 'a\u009b31m': 1 })}\n`;
  const [shown, sent] = [await run([text], true), await run([text])];
  expect([shown.written.includes('\u009b'), sent.written.includes('\u009b')]).toEqual([false, true]);
  expect(shown.lines).toEqual(sent.lines);
});

it('writes each warning of the answers once', async () => {
  const { warnings } = await run([`${line('a')}\n${line('a')}\n${line('b')}\n`]);
  const unjudged = (host: string): string[] => [
    `VCPU is not judged on hosts that report no vcpus_total: ${host}.`,
    `MEMORY_MB is not judged on hosts that report no memory_mb: ${host}.`,
  ];
  expect(warnings).toEqual([expect.stringMatching(/^Without `providers`/), ...unjudged('a'), ...unjudged('b')]);
});

it('reads lines across chunks, without a newline at the end, and passes over blank ones', async () => {
  const text = line('a');
  const { code, lines } = await run([text.slice(0, 10), text.slice(10), '\r\n', ' \n\n', line('b')]);
  expect([code, hostsIn(lines)]).toEqual([0, ['a', 'b']]);
});

it('breaks lines at newlines only', async () => {
  const separated = line('a').replace('"memory_mb":1', '"memory_mb":1,"extra_specs":{"custom:note":"a\u2028b"}');
  const { lines } = await run([`${separated}\n`]);
  expect(hostsIn(lines)).toEqual(['a']);
});

it('answers a bad line with an error document on its line, and says so at the end', async () => {
  const { code, lines } = await run([`${line('a')}\nnonsense\n{"hosts":1}\n${line('b')}\n`]);
  expect(code).toBe(1);
  expect(hostsIn(lines)).toEqual(['a', undefined, undefined, 'b']);
  expect(lines[1]?.errors).toMatchObject([
    { code: 'scheduler.invalid_request', request_id: expect.stringMatching(/^req-/) as unknown },
  ]);
  expect(lines[1]?.errors?.[0]?.detail).toContain('Malformed JSON');
  expect(lines[2]?.errors?.[0]?.detail).toContain('hosts');
});

it('a request that finds no host is an answer, not a bad line', async () => {
  const withoutHosts = JSON.stringify({ ...(JSON.parse(line('a')) as object), hosts: [] });
  const { code, lines } = await run([`${withoutHosts}\n`]);
  expect([code, lines[0]?.outcome]).toEqual([0, 'no_valid_host']);
});

it('the same line gives the same bytes', async () => {
  const twice = await run([`${line('a')}\n${line('a')}\n`]);
  expect(twice.lines[0]).toEqual(twice.lines[1]);
  expect(twice.lines[0]?.request_id).toMatch(/^req-[0-9a-f-]{36}$/);
});

it('a line that is too long is refused and does not stop the others', async () => {
  const { code, lines } = await run([Buffer.alloc(SCHEDULER_LIMITS.simulationBytes + 1, 0x78), `\n${line('b')}\n`]);
  expect([code, hostsIn(lines)]).toEqual([1, [undefined, 'b']]);
  expect(lines[0]?.errors?.[0]?.detail).toContain('longer than');
});
