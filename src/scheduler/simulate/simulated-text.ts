// A described cloud from bytes to bytes: what a thread does with a document, so that nobody else ever holds it as objects.
import 'reflect-metadata';
import { DomainError, InvalidInput } from '../../errors/domain-errors';
import { validDocument } from '../../http/dto-body.decorator';
import { parseJsonBody } from '../../http/json-body';
import { SimulationDto } from './simulation.schema';
import type { SimulationService } from './simulation.service';

/** A document to be simulated; undefined where the request has no body. */
export interface SimulationTask {
  readonly body: Uint8Array | undefined;
  readonly requestId: string;
}

/** The answer as JSON, or why the document was refused. */
export type SimulationResult =
  { readonly kind: 'answer'; readonly text: string } | { readonly kind: 'refused'; readonly message: string };

/** Whoever runs simulations. Throws InvalidInput for a cloud or a configuration that cannot be. */
export interface Simulations {
  /** The answer as JSON. */
  answerTo(task: SimulationTask, caller?: { readonly isGone: boolean }): Promise<string>;
}

export async function simulateText(
  service: SimulationService,
  { body, requestId }: SimulationTask,
): Promise<SimulationResult> {
  try {
    const document = validDocument(SimulationDto, parseJsonBody(body));
    return { kind: 'answer', text: JSON.stringify(await service.simulate(document, requestId)) };
  } catch (error) {
    if (error instanceof DomainError) return { kind: 'refused', message: error.message };
    throw error;
  }
}

export function textOf(result: SimulationResult): string {
  if (result.kind === 'refused') throw new InvalidInput(result.message);
  return result.text;
}

/** Simulates where it is called, for a process that serves nobody else meanwhile. */
export class SimulationsHere implements Simulations {
  constructor(private readonly service: SimulationService) {}

  async answerTo(task: SimulationTask): Promise<string> {
    return textOf(await simulateText(this.service, task));
  }
}
