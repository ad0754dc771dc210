// Loaded into a service by waits.mjs (`node --import`): after the message `statuses`, all its routes have answered with every
// status, as in a process that has served every kind of request for months.
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const STATUSES = [
  200, 201, 202, 204, 300, 400, 401, 403, 404, 405, 406, 409, 411, 412, 413, 414, 415, 422, 429, 431, 500, 501, 503,
  504,
];

function watch() {
  const load = createRequire(process.argv[1]);
  const { RequestCounters } = load('./src/platform/http/request-counters.js');
  const tallies = new Set();
  const { ended } = RequestCounters.prototype;
  RequestCounters.prototype.ended = function remembered(...request) {
    tallies.add(this);
    return ended.apply(this, request);
  };
  process.on('message', (message) => {
    if (message !== 'statuses') return;
    for (const route of [...tallies].flatMap(({ all }) => all)) {
      for (const status of STATUSES) route.ended(status, status / 10);
    }
  });
}

if (isMainThread && process.send !== undefined) watch();
