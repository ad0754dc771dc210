// The worker thread of simulations: loads the plug-ins of the running configuration once, then answers one document
// after another.
import { workerData } from 'node:worker_threads';
import { move } from 'piscina';
import { loadPlugins } from '../assemble/load-plugins';
import type { SimulationTask } from './simulated-text';
import { simulateText } from './simulated-text';
import { SimulationService } from './simulation.service';

/** The start data of a thread. */
export interface SimulationThreadData {
  /** Plug-in paths as configured, and their base directory. */
  readonly plugins: readonly string[];
  readonly directory: string;
  readonly version: string;
}

/** The answer as JSON in UTF-8, or why the document was refused. */
export type SimulationReply = Uint8Array | { readonly refusal: string };

const { plugins, directory, version } = workerData as SimulationThreadData;
const service = loadPlugins(plugins, directory).then((loaded) => new SimulationService(loaded, version));
// The first document reports the error.
service.catch(() => undefined);

/** The buffer of the answer is transferred; otherwise the main thread would copy it. */
async function simulate(task: SimulationTask): Promise<SimulationReply> {
  const result = await simulateText(await service, task);
  return result.kind === 'answer' ? (move(result.bytes) as Uint8Array) : { refusal: result.message };
}

export default simulate;
