// soak.mjs loads this file into a service (`node --import`). Every few seconds it appends the memory figures to a file.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const file = process.env.BERTH_MEMORY_FILE;
const every = Number(process.env.BERTH_MEMORY_SECONDS ?? 5) * 1000;
const began = Date.now();
if (file !== undefined && isMainThread) {
  setInterval(() => {
    const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
    const mib = [rss, heapUsed, external, arrayBuffers].map((bytes) => (bytes / 2 ** 20).toFixed(1));
    appendFileSync(file, `${((Date.now() - began) / 60_000).toFixed(3)},${mib.join(',')}\n`);
  }, every).unref();
}
