// The thread that simulates: loads the plug-ins of the running configuration once, then answers document after document.
import { parentPort, workerData } from 'node:worker_threads';
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

const { plugins, directory, version } = workerData as SimulationThreadData;
const service = loadPlugins(plugins, directory).then((loaded) => new SimulationService(loaded, version));
// Whoever asks is told; until then nobody listens.
service.catch(() => undefined);

parentPort?.on('message', (task: SimulationTask) => {
  void service
    .then((ready) => simulateText(ready, task))
    .then(
      // The answer's memory is handed over: a copy would be made by whoever serves everybody else.
      (result) => parentPort?.postMessage(result, result.kind === 'answer' ? [result.bytes.buffer] : []),
      (error: unknown) => {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        parentPort?.postMessage({ kind: 'broken', text });
      },
    );
});
