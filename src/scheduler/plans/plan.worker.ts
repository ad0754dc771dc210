// The worker thread of plans: loads the plug-ins of the running configuration once, then makes one plan after another.
import 'reflect-metadata';
import { workerData } from 'node:worker_threads';
import { loadPlugins } from '../assemble/load-plugins';
import type { SimulationThreadData } from '../simulate/simulation.worker';
import type { PlanReply, PlanTask } from './make-plan';
import { replyTo } from './make-plan';

/** The start data of a thread. */
export type PlanThreadData = Omit<SimulationThreadData, 'version'>;

const { plugins, directory } = workerData as PlanThreadData;
const loaded = loadPlugins(plugins, directory);
// The first plan reports the error.
loaded.catch(() => undefined);

const work = async (task: PlanTask): Promise<PlanReply> => replyTo(task, await loaded);

export default work;
