// `node scripts/smoke.mjs [DIST]`: starts the built service on an empty SQLite database and uses it as a client:
// scheduling, probes, console, CLI, and an orderly stop. DIST is the build of an installed release (release-check.mjs).
import { spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../test/support/built-service.mjs';

const root = join(import.meta.dirname, '../');
const dist = process.argv[2] ?? join(root, 'dist');
const folder = mkdtempSync(join(tmpdir(), 'berth-smoke-'));
const env = { ...process.env, DATABASE_URL: `sqlite:///${join(folder, 'berth.sqlite')}`, PORT: '0', LOG_LEVEL: 'info' };
let service;
let failures = 0;

try {
  service = await startService(env.DATABASE_URL, { cwd: folder, entry: join(dist, 'main.js') });
  const call = async (method, path, body) => {
    const headers = { 'x-auth-token': 'admin', 'openstack-api-version': 'placement latest' };
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, json: text === '' ? undefined : JSON.parse(text) };
  };
  const host = randomUUID();
  const instance = randomUUID();
  check('healthz', (await call('GET', '/healthz')).status === 200);
  check('readyz', (await call('GET', '/readyz')).status === 200);
  const documented = await call('GET', '/docs/openapi.json');
  check('API document', documented.json.paths['/resource_providers'].get.operationId === 'listResourceProviders');
  check('its viewer', (await fetch(`${service.url}/docs/swagger-ui-bundle.js`)).status === 200);
  check('console', await servesItsConsole(service.url));
  check('root', /^1\.\d+$/.test((await call('GET', '/')).json.versions[0].max_version));
  check('create provider', (await call('POST', '/resource_providers', { name: 'smoke', uuid: host })).status === 200);
  const inventories = { VCPU: { total: 4 }, MEMORY_MB: { total: 4096 } };
  const put = { resource_provider_generation: 0, inventories };
  check('put inventory', (await call('PUT', `/resource_providers/${host}/inventories`, put)).status === 200);
  const found = await call('GET', '/allocation_candidates?resources=VCPU:2,MEMORY_MB:1024');
  check('find candidates', found.json.allocation_requests.length === 1);
  const claim = {
    ...found.json.allocation_requests[0],
    project_id: 'p',
    user_id: 'u',
    consumer_generation: null,
    consumer_type: 'INSTANCE',
  };
  check('claim', (await call('PUT', `/allocations/${instance}`, claim)).status === 204);
  const request = {
    num_instances: 1,
    project_id: 'p',
    user_id: 'u',
    flavor: { name: 'm', vcpus: 1, memory_mb: 512, root_gb: 0 },
  };
  const placed = await call('POST', '/scheduler/select_destinations', request);
  check('schedule', placed.json.selections?.[0].selected.host === 'smoke');
  check('release', (await call('DELETE', `/allocations/${instance}`)).status === 204);
  check('orderly stop', (await service.stop()) === 0);
  const verify = command('verify');
  check('berth verify', verify.status === 0 && verify.stdout.includes('consistent'));
  check('berth migrate status', !command('migrate', 'status').stdout.includes('missing'));
  check('berth config check', command('config', 'check').status === 0);
  check('berth completion', command('completion', 'bash').status === 0);
  check('berth is quiet when its reader ends early', await endsWithItsReader());
  if (process.argv[2] === undefined) {
    check('npm start ends with the shell that npm runs it in', await endsWithItsShell());
  }
} catch (error) {
  console.log(`FAILED: ${error.message}\n${service?.log().slice(-4000) ?? ''}`);
  failures += 1;
} finally {
  service?.process.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

/** The page, and every script and style that it references. */
async function servesItsConsole(url) {
  const page = await fetch(`${url}/console/hosts`);
  const named = [...(await page.text()).matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)].map(([, path]) => path);
  const answers = await Promise.all(named.map((path) => fetch(`${url}${path}`)));
  return page.ok && named.some((path) => path.endsWith('.js')) && answers.every(({ ok }) => ok);
}

/** Runs `berth` with these arguments. */
function command(...args) {
  return spawnSync(process.execPath, [join(dist, 'cli.js'), ...args], { env, cwd: folder, encoding: 'utf8' });
}

/** As in `berth completion bash | head -1`. */
async function endsWithItsReader() {
  const list = spawn(process.execPath, [join(dist, 'cli.js'), 'completion', 'bash'], { env, cwd: folder });
  let complaint = '';
  list.stderr.on('data', (chunk) => (complaint += chunk));
  list.stdout.destroy();
  const [status] = await once(list, 'close');
  return status === 0 && complaint === '';
}

/** npm runs a script in a shell and signals only that shell. */
async function endsWithItsShell() {
  const shell = spawn('sh', ['-c', `"${process.execPath}" "${join(root, 'scripts/start.mjs')}"; exit 1`], {
    env: { ...env, npm_lifecycle_event: 'start' },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  await new Promise((resolve) => {
    const hear = (chunk) => {
      said += chunk;
      if (said.includes('Berth is listening')) resolve();
    };
    for (const stream of [shell.stdout, shell.stderr]) stream.on('data', hear);
    setTimeout(resolve, 120_000).unref();
  });
  shell.kill('SIGTERM');
  // The pipes close when the last process that holds them ends.
  const ended = Promise.race([once(shell, 'close'), new Promise((resolve) => setTimeout(resolve, 20_000, 'late'))]);
  return said.includes('Berth is listening') && (await ended) !== 'late';
}

function check(what, isRight) {
  console.log(`${isRight ? 'ok' : 'FAILED'}: ${what}`);
  if (!isRight) failures += 1;
}
