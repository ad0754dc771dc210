// The thread that simulates: loads the plug-ins of the running configuration once, then answers document after document.
import { workerData } from 'node:worker_threads';
import { move } from 'piscina';
import { loadPlugins } from '../assemble/load-plugins';
import { simulateText } from './simulated-text';
import type { SimulationTask } from './simulated-text';
import { SimulationService } from './simulation.service';

/** What a thread is started with. */
export interface SimulationThreadData {
  /** Plug-ins by their paths, as the configuration names them, and the directory these start from. */
  readonly plugins: readonly string[];
  readonly directory: string;
  readonly version: string;
}

/** The answer as JSON in UTF-8, or why the document was refused. */
export type SimulationReply = Uint8Array | { readonly refusal: string };

const { plugins, directory, version } = workerData as SimulationThreadData;
const service = loadPlugins(plugins, directory).then((loaded) => new SimulationService(loaded, version));
// The first document reports it.
service.catch(() => undefined);

/** The memory of the answer is moved: a copy would be made by the thread that serves all other requests. */
async function simulate(task: SimulationTask): Promise<SimulationReply> {
  const result = await simulateText(await service, task);
  return result.kind === 'answer' ? (move(result.bytes) as Uint8Array) : { refusal: result.message };
}

export default simulate;
