// After a build: counts the functions that one warm request calls, how often, and in how many files. It uses precise
// coverage of the service in this process on SQLite. Only functions below `dist/src` count.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const WARM_UPS = 30;
const HOSTS = ['one', 'two', 'three'];
const OWNER = { project_id: 'bench', user_id: 'bench' };
const PLACEMENT = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement 1.39' };
const DIST = fileURLToPath(new URL('../../dist/src/', import.meta.url));

const require = createRequire(import.meta.url);
require('reflect-metadata');
require(join(DIST, 'platform/process-settings.js'));
const { createApplication } = require(join(DIST, 'application.js'));
const { OPTION_TABLE } = require(join(DIST, 'options.js'));
const { loadConfigWithPlugins } = require(join(DIST, 'scheduler/assemble/configured-scheduler.js'));
const { createAccessLog } = require(join(DIST, 'platform/logging/access-log.js'));
const { createLogger } = require(join(DIST, 'platform/logging/logger.js'));

const folder = mkdtempSync(join(tmpdir(), 'berth-calls-'));
const env = { DATABASE_URL: `sqlite:///${join(folder, 'berth.db')}`, BERTH_DEFAULT__SERVICE_DOWN_TIME: '3600' };
const loaded = await loadConfigWithPlugins(OPTION_TABLE, { env, cwd: folder });
const nowhere = { level: 'silent', destination: { write: () => true } };
const application = await createApplication(loaded, createLogger(nowhere), createAccessLog(nowhere));
await application.app.init();
const server = application.app.getHttpAdapter().getInstance();
await server.ready();

async function ask(method, url, payload, headers = PLACEMENT) {
  const answer = await server.inject({ method, url, headers, ...(payload !== undefined && { payload }) });
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${answer.body}`);
  return answer.body === '' ? undefined : answer.json();
}

const reportOf = (name) => [
  'PUT',
  `/scheduler/hosts/${name}/${name}`,
  { vcpus_total: 4096, memory_mb: 4_194_304, local_gb: 4096, report_providers: true },
];
for (const name of HOSTS) await ask(...reportOf(name));
const { resource_providers: providers } = await ask('GET', '/resource_providers');
const host = providers[0].uuid;

const claim = () =>
  ask('PUT', `/allocations/${randomUUID()}`, {
    ...OWNER,
    allocations: { [host]: { resources: { VCPU: 1, MEMORY_MB: 64 } } },
    consumer_generation: null,
    consumer_type: 'INSTANCE',
  });
const flavor = { name: 'tiny', vcpus: 1, memory_mb: 64, root_gb: 1, ephemeral_gb: 0, swap: 0 };
const REQUESTS = {
  'GET inventories': () => ask('GET', `/resource_providers/${host}/inventories`),
  claim,
  search: () => ask('GET', '/allocation_candidates?resources=VCPU:1,MEMORY_MB:64&limit=1'),
  decision: () => ask('POST', '/scheduler/select_destinations', { ...OWNER, num_instances: 1, flavor }),
  'host report': () => ask(...reportOf('one')),
};

const session = new Session();
session.connect();
await session.post('Profiler.enable');
for (const [name, request] of Object.entries(REQUESTS)) {
  for (let done = 0; done < WARM_UPS; done += 1) await request();
  // Waits until the work after the previous request is over.
  await new Promise((resume) => setTimeout(resume, 200));
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await session.post('Profiler.takePreciseCoverage');
  await request();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  await session.post('Profiler.stopPreciseCoverage');
  console.log(row(name, result));
}
session.disconnect();
await application.stop();
rmSync(folder, { recursive: true, force: true });

function row(name, scripts) {
  let files = 0;
  let functions = 0;
  let calls = 0;
  for (const { url, functions: all } of scripts) {
    if (!url.startsWith(`file://${DIST}`)) continue;
    // The coverage lists the module itself as a function; a request does not call it.
    const called = all.filter(
      ({ functionName, ranges: [range] }) => range.count > 0 && (functionName !== '' || range.startOffset > 0),
    );
    if (called.length === 0) continue;
    files += 1;
    functions += called.length;
    calls += called.reduce((sum, { ranges: [range] }) => sum + range.count, 0);
  }
  return `${name.padEnd(16)}${String(files).padStart(6)} files${String(functions).padStart(7)} functions${String(calls).padStart(8)} calls`;
}
