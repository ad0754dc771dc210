// A separate thread during a benchmark. It sends health checks without a pause and a claim every 20 ms, and records the
// longest answer of each and the service's peak memory.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { Client, rssMib } from './meter.mjs';

const { url, pid, claimOn, headers } = workerData;
const HEALTH_PAUSE_MS = 2;
const CLAIM_EVERY_MS = 20;
const health = new Client(url);
const claims = new Client(url, { connections: 64, headers });
let seen = fresh();
let isOver = false;

function fresh() {
  return { healthMs: 0, claimMs: 0, claims: 0, refused: {}, peakMib: 0 };
}

async function watchHealth() {
  while (!isOver) {
    const noted = seen;
    const began = performance.now();
    const { status } = await health.send('GET', '/healthz');
    noted.healthMs = Math.max(noted.healthMs, performance.now() - began);
    if (status !== 200) noted.refused[`healthz ${status}`] = (noted.refused[`healthz ${status}`] ?? 0) + 1;
    noted.peakMib = Math.max(noted.peakMib, rssMib(pid));
    await pause(HEALTH_PAUSE_MS);
  }
}

async function claim(noted) {
  const began = performance.now();
  const { status } = await claims.send('PUT', `/allocations/${randomUUID()}`, {
    allocations: { [claimOn]: { resources: { VCPU: 1 } } },
    project_id: 'bench',
    user_id: 'bench',
    consumer_generation: null,
  });
  noted.claimMs = Math.max(noted.claimMs, performance.now() - began);
  noted.claims += 1;
  if (status !== 204) noted.refused[status] = (noted.refused[status] ?? 0) + 1;
}

const failed = (error) => {
  if (!isOver) seen.refused[error.code ?? error.message] = (seen.refused[error.code ?? error.message] ?? 0) + 1;
};
const timer = setInterval(() => void claim(seen).catch(failed), CLAIM_EVERY_MS);
watchHealth().catch(failed);

parentPort.on('message', (message) => {
  if (message === 'begin') seen = fresh();
  else if (message === 'end') parentPort.postMessage(seen);
  else {
    isOver = true;
    clearInterval(timer);
    health.close();
    claims.close();
    parentPort.close();
  }
});
