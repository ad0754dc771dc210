// Loaded into a service by waits.mjs (`node --import`): when it is told `statuses`, all its routes have answered with every
// status to every class of versions, which is what a process has met that was asked everything for months.
import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const STATUSES = [
  200, 201, 202, 204, 300, 400, 401, 403, 404, 405, 406, 409, 411, 412, 413, 414, 415, 422, 429, 431, 500, 501, 503,
  504,
];

function watch() {
  const load = createRequire(process.argv[1]);
  const { RequestTally } = load('./src/http/request-tally.js');
  const { ApiVersion } = load('./src/microversion/api-version.js');
  const versions = [...ApiVersion.decades.map((_, decade) => ({ decade })), undefined];
  const tallies = new Set();
  const { ended } = RequestTally.prototype;
  RequestTally.prototype.ended = function remembered(...request) {
    tallies.add(this);
    return ended.apply(this, request);
  };
  process.on('message', (message) => {
    if (message !== 'statuses') return;
    for (const route of [...tallies].flatMap(({ all }) => all)) {
      for (const status of STATUSES) for (const version of versions) route.ended(version, status, status / 10);
    }
  });
}

if (isMainThread && process.send !== undefined) watch();
