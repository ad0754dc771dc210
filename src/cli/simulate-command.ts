// `berth simulate FILE|-`: one described cloud and request per line in, one answer per line out, in the same order.
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { HTTP_LIMITS } from '../config/limits';
import { DomainError, InvalidInput } from '../errors/domain-errors';
import { validDocument } from '../http/dto-body.decorator';
import { errorDocument } from '../http/error-document';
import { parseJsonBody } from '../http/json-body';
import type { LoadedConfig } from '../scheduler/scheduler-of-config';
import { SimulationDto } from '../scheduler/simulate/simulation.schema';
import { SimulationService } from '../scheduler/simulate/simulation.service';
import { VERSION } from '../version';

const NEWLINE = 0x0a;

/** 0 when every line was answered, 1 when one could not be read; its answer then is an error document. */
export async function simulateFile(path: string, { plugins }: Pick<LoadedConfig, 'plugins'>): Promise<number> {
  const input = path === '-' ? process.stdin : createReadStream(path);
  return simulateLines(input, process.stdout, new SimulationService(plugins, VERSION));
}

export async function simulateLines(
  input: AsyncIterable<Uint8Array>,
  output: Writable,
  service: SimulationService,
): Promise<number> {
  let isAllWell = true;
  for await (const line of linesOf(input)) {
    const { answer, isGood } = await answerTo(line, service);
    isAllWell &&= isGood;
    if (!output.write(`${JSON.stringify(answer)}\n`)) await once(output, 'drain');
  }
  return isAllWell ? 0 : 1;
}

/** The request id follows from the line, as everything else does. */
async function answerTo(
  line: Buffer,
  service: SimulationService,
): Promise<{ readonly answer: object; readonly isGood: boolean }> {
  const digest = createHash('sha256').update(line).digest('hex');
  const requestId = `req-${digest.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5')}`;
  try {
    if (line.length > HTTP_LIMITS.bodyBytes) {
      throw new InvalidInput(`The line is longer than ${HTTP_LIMITS.bodyBytes} bytes.`);
    }
    const document = validDocument(SimulationDto, parseJsonBody(line));
    return { answer: await service.simulate(document, requestId), isGood: true };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const refusal = { status: 400, code: 'scheduler.invalid_request', detail: error.message };
    return { answer: errorDocument(refusal, requestId, true), isGood: false };
  }
}

/** Lines end at a newline and nowhere else: a text may hold what other readers break lines at. Blank ones are nothing. */
async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  /** What is too long to be read is not kept either. */
  const keep = (part: Uint8Array): void => {
    if (bytes <= HTTP_LIMITS.bodyBytes) parts.push(part);
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
