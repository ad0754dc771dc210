// `berth simulate FILE|-`: reads one cloud and request per line, and writes one result per line in the same order.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Writable } from 'node:stream';
import type { Command } from 'commander';
import { SCHEDULER_LIMITS } from '../platform/config/limits/scheduler';
import { errorDocument, refusalOfError } from '../platform/http/error-document';
import { InvalidInput } from '../platform/values/errors';
import { printableLine } from '../platform/values/printable';
import { VERSION } from '../platform/version';
import { simulateText } from '../scheduler/simulate/simulated-text';
import { SimulationService } from '../scheduler/simulate/simulation.service';
import type { CommandContext } from './command-context';
import { CommandFailed, EXIT, runs } from './command-context';

const NEWLINE = 0x0a;

export function addSimulate(program: Command, context: CommandContext): void {
  program
    .command('simulate')
    .description(
      'decide requests on described clouds, one JSON document per line; exit code 1 if one could not be read',
    )
    .argument('<file>', 'the file to read, or - for standard input')
    .action(
      runs(context, async (file: string) => {
        const { plugins } = await context.loadConfig();
        const input = file === '-' ? process.stdin : await opened(file);
        const warn = (warning: string): void => context.stderr(`warning: ${warning}\n`);
        return simulateLines(input, process.stdout, new SimulationService(plugins, VERSION), warn);
      }),
    );
}

async function opened(file: string): Promise<AsyncIterable<Uint8Array>> {
  const input = createReadStream(file);
  await once(input, 'open').catch((error: unknown) => {
    throw new CommandFailed(`${file} cannot be read: ${(error as Error).message}`);
  });
  return input;
}

/**
 * Returns 0 if every line was valid, otherwise 1. The result of an invalid line is an error document. Each warning is
 * written once.
 */
export async function simulateLines(
  input: AsyncIterable<Uint8Array>,
  output: Writable & { readonly isTTY?: boolean },
  service: SimulationService,
  warn: (warning: string) => void,
): Promise<number> {
  let isAllWell = true;
  const known = new Set<string>();
  for await (const line of linesOf(input)) {
    const { bytes, isGood, warnings } = await answerTo(line, service);
    for (const warning of warnings.filter((each) => !known.has(each))) {
      known.add(warning);
      warn(warning);
    }
    isAllWell &&= isGood;
    // A terminal obeys control characters; as JSON, the escaped text is equal.
    output.write(output.isTTY === true ? printableLine(Buffer.from(bytes).toString()) : bytes);
    if (!output.write('\n')) await once(output, 'drain');
  }
  return isAllWell ? EXIT.done : EXIT.failed;
}

/** The request id is derived from the line: equal input gives equal output. */
async function answerTo(
  line: Buffer,
  service: SimulationService,
): Promise<{ readonly bytes: Uint8Array; readonly isGood: boolean; readonly warnings: readonly string[] }> {
  const digest = createHash('sha256').update(line).digest('hex');
  const requestId = `req-${digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')}`;
  const result =
    line.length > SCHEDULER_LIMITS.simulationBytes
      ? { kind: 'refused' as const, message: `The line is longer than ${SCHEDULER_LIMITS.simulationBytes} bytes.` }
      : await simulateText(service, { body: line, requestId });
  if (result.kind === 'answer') return { bytes: result.bytes, isGood: true, warnings: result.warnings };
  const refusal = refusalOfError(new InvalidInput(result.message), 'scheduler');
  return {
    bytes: Buffer.from(JSON.stringify(errorDocument(refusal, { requestId, hasCodes: true, surface: 'scheduler' }))),
    isGood: false,
    warnings: [],
  };
}

/** Splits only at newlines: other separators are valid inside a JSON text. Blank lines are skipped. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  /** A line above the size limit is not buffered any further. */
  const keep = (part: Uint8Array): void => {
    if (bytes <= SCHEDULER_LIMITS.simulationBytes) parts.push(part);
    bytes += part.length;
  };
  for await (const chunk of input) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      keep(chunk.subarray(start, end));
      const line = Buffer.concat(parts.splice(0));
      bytes = 0;
      start = end + 1;
      if (!isBlank(line)) yield line;
    }
    keep(chunk.subarray(start));
  }
  const last = Buffer.concat(parts);
  if (!isBlank(last)) yield last;
}

const isBlank = (line: Buffer): boolean => line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
