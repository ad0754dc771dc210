// The OpenStack Placement that is installed on this machine (Debian: python3-placement), on a separate
// database.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Debian's Python, even if another one is first in the path. */
const PYTHON = '/usr/bin/python3';
const STARTER =
  'import sys\n' +
  'from socketserver import ThreadingMixIn\n' +
  'from wsgiref.simple_server import make_server, WSGIServer, WSGIRequestHandler\n' +
  'from placement.wsgi import init_application\n' +
  'class Server(ThreadingMixIn, WSGIServer):\n' +
  '    daemon_threads = True\n' +
  '    request_queue_size = 128\n' +
  'class Quiet(WSGIRequestHandler):\n' +
  '    def log_message(self, *args): pass\n' +
  '    def address_string(self): return self.client_address[0]\n' +
  'port = int(sys.argv.pop())\n' +
  "make_server('127.0.0.1', port, init_application(), Server, Quiet).serve_forever()\n";

/** The reason why the reference cannot run here; undefined if it can. */
export function whyNoReference() {
  try {
    execFileSync(PYTHON, ['-c', 'import placement.wsgi, pymysql'], { stdio: 'ignore' });
    execFileSync('placement-manage', ['--help'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'OpenStack Placement is not installed here (Debian: apt-get install python3-placement python3-pymysql)';
  }
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

/** Migrates the existing database and serves it. `mysql` is the URL of the server. */
export async function startReference(mysql, database) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-reference-'));
  const password = mysql.password === '' ? '' : `:${mysql.password}`;
  const url = `mysql+pymysql://${mysql.username}${password}@${mysql.hostname}:${mysql.port || 3306}/${database}`;
  writeFileSync(
    join(folder, 'placement.conf'),
    `[api]\nauth_strategy = noauth2\n[placement_database]\nconnection = ${url}?charset=utf8\nmax_pool_size = 20\n`,
  );
  execFileSync('placement-manage', ['--config-dir', folder, 'db', 'sync'], { stdio: 'ignore' });
  const port = await freePort();
  const child = spawn(PYTHON, ['-c', STARTER, String(port)], {
    env: { ...process.env, OS_PLACEMENT_CONFIG_DIR: folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (chunk) => (log = (log + chunk).slice(-4_000)));
  const address = `http://127.0.0.1:${port}`;
  for (let tries = 0; ; tries += 1) {
    if (child.exitCode !== null || tries > 300) throw new Error(`the reference does not start:\n${log}`);
    const isThere = await fetch(address).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isThere) break;
    await pause(200);
  }
  return {
    url: address,
    stop: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
