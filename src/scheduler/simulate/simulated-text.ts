// Simulates a described cloud from bytes to bytes; only the worker thread holds the document as objects.
import 'reflect-metadata';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import type { Caller } from '../../platform/event-loop/caller';
import { bytesOf } from '../../platform/http/body-bytes';
import { validDocument } from '../../platform/http/dto-body.decorator';
import { parseJsonBody } from '../../platform/http/json-body';
import { jsonBody } from '../../platform/http/long-json';
import { DomainError, InvalidInput } from '../../platform/values/errors';
import { runToCompletion } from '../../platform/values/task';
import { SimulationDto } from './simulation.schema';
import type { SimulationService } from './simulation.service';

/** Maximum size of an answer, which is transferred as a whole. */
const SIMULATION_ANSWER_BYTES = 64 * 1024 * 1024;

/** A document to simulate; undefined if the request has no body. */
export interface SimulationTask {
  readonly body: Uint8Array | undefined;
  readonly requestId: string;
}

/** The answer as JSON in UTF-8 in a buffer of its own, or why the document was refused. */
export type SimulationResult =
  | { readonly kind: 'answer'; readonly bytes: Uint8Array<ArrayBuffer>; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly message: string };

/** Runs simulations. Throws InvalidInput for an invalid cloud or configuration. */
export interface Simulations {
  /** The answer as JSON in UTF-8. */
  answerTo(task: SimulationTask, caller?: Caller): Promise<Uint8Array>;
}

/** Refuses an answer of more bytes. */
export async function simulateText(
  service: Pick<SimulationService, 'simulate'>,
  { body, requestId }: SimulationTask,
  bytesMax: number = SIMULATION_ANSWER_BYTES,
): Promise<SimulationResult> {
  try {
    const document = await validDocument(SimulationDto, parseJsonBody(body, SCHEDULER_LIMITS.simulationBytes));
    const answer = await service.simulate(document, requestId);
    const bytes = bytesWithin(bytesMax, answer);
    return bytes === undefined
      ? { kind: 'refused', message: tooLarge(bytesMax) }
      : { kind: 'answer', bytes: new Uint8Array(bytes), warnings: warningsOf(answer) };
  } catch (error) {
    if (error instanceof DomainError) return { kind: 'refused', message: error.message };
    throw error;
  }
}

const warningsOf = ({ warnings = [] }: { readonly warnings?: readonly string[] }): readonly string[] => warnings;

/** Written in blocks, so an answer that is too large never exists as a whole. */
function bytesWithin(most: number, document: object): Buffer | undefined {
  const body = jsonBody(document);
  const bytes = typeof body === 'string' ? Buffer.from(body) : runToCompletion(bytesOf(body, most));
  return bytes === undefined || bytes.length > most ? undefined : bytes;
}

const tooLarge = (bytesMax: number): string =>
  `The answer has more than ${bytesMax} bytes: ask for fewer instances ('request.num_instances'), for less explanation ` +
  "('request.explain') or without alternates ('request.return_alternates').";

/** Simulates in the calling thread, for a process without other requests. */
export class SimulationsHere implements Simulations {
  constructor(private readonly service: Pick<SimulationService, 'simulate'>) {}

  async answerTo(task: SimulationTask): Promise<Uint8Array> {
    const result = await simulateText(this.service, task);
    if (result.kind === 'refused') throw new InvalidInput(result.message);
    return result.bytes;
  }
}
