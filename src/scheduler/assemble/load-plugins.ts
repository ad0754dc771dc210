// Loads the modules that `[berth] plugins` names: paths from the configuration's directory, or installed packages.

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { readPlugin } from '../../scheduling-rules/pipeline/read-plugin';
import type { SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import { SchedulerBootError } from '../../scheduling-rules/pipeline/registry';
import { causeOf } from '../../scheduling-rules/pipeline/verdict';

/** Loads every module, in order. Throws an error with the path for a module that is missing or fails to load. */
export async function loadPlugins(paths: readonly string[], directory: string): Promise<readonly SchedulerExtension[]> {
  const extensions: SchedulerExtension[] = [];
  for (const path of paths) extensions.push(await loadPlugin(path, directory));
  return extensions;
}

async function loadPlugin(path: string, directory: string): Promise<SchedulerExtension> {
  let loaded: Readonly<Record<string, unknown>>;
  try {
    const file = createRequire(join(directory, 'berth.conf')).resolve(path);
    loaded = (await import(file)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new SchedulerBootError(`plug-in ${path} could not be loaded: ${causeOf(error)}`);
  }
  return readPlugin(path, loaded);
}
