// run.mjs loads this file into a service (`node --import`). On SIGUSR2 it collects garbage and writes the remaining
// heap to a file.
import { renameSync, writeFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BERTH_HEAP_FILE;
if (file !== undefined && isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    collect();
    const { rss, heapUsed, external } = process.memoryUsage();
    writeFileSync(`${file}.part`, JSON.stringify({ rss, heapUsed, external }));
    renameSync(`${file}.part`, file);
  });
}
