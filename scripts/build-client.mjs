// Compiles client/ into client/dist/. By itself, before the demo and the suites that use it, only where the sources are
// newer than what is there.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}client/dist`;

export function buildClient() {
  rmSync(dist, { recursive: true, force: true });
  const compiler = [`${root}node_modules/typescript/bin/tsc`, '-p', 'client/tsconfig.build.json'];
  const { status } = spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    // Half a build must not pass for one.
    rmSync(dist, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
}

/** The youngest file of the sources, and the oldest of the build: files that are as they were are written too. */
const times = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(`${parentPath}/${name}`).mtimeMs);

const isStale = () =>
  !existsSync(dist) || Math.max(...times(`${root}client/src`)) > Math.min(...times(dist)) || times(dist).length === 0;

export const buildClientIfStale = () => isStale() && buildClient();

if (process.argv[1] === fileURLToPath(import.meta.url)) buildClientIfStale();
