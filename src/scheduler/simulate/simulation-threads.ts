// Runs simulations in worker threads. A described cloud of thousands of hosts takes megabytes to parse, minutes to
// decide and megabytes to answer, which must not block the event loop.
import type { ThreadBounds } from '../../platform/event-loop/bounded-threads';
import { BoundedThreads } from '../../platform/event-loop/bounded-threads';
import type { Caller } from '../../platform/event-loop/caller';
import { InvalidInput } from '../../platform/values/errors';
import type { Simulations, SimulationTask } from './simulated-text';
import type { SimulationReply, SimulationThreadData } from './simulation.worker';

export class SimulationThreads extends BoundedThreads<SimulationTask, SimulationReply> implements Simulations {
  constructor(script: string, workerData: SimulationThreadData, bounds?: ThreadBounds) {
    const advice = 'describe fewer hosts or ask for fewer instances';
    super({ script, workerData, name: 'simulation', advice }, bounds);
  }

  async answerTo(task: SimulationTask, caller?: Caller): Promise<Uint8Array> {
    const reply = await this.run(async () => ({ task }), caller);
    if (reply instanceof Uint8Array) return reply;
    throw new InvalidInput(reply.refusal);
  }
}
