// Compiles client/ into client/dist/. Before the demo and the suites that use it, only if the sources are newer.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}client/dist`;

export function buildClient() {
  rmSync(dist, { recursive: true, force: true });
  const compiler = [`${root}node_modules/@typescript/native/bin/tsc`, '-p', 'client/tsconfig.build.json'];
  const { status } = spawnSync(process.execPath, compiler, { cwd: root, stdio: 'inherit' });
  if (status !== 0) {
    // An incomplete build must not count as a build.
    rmSync(dist, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
}

/**
 * Modification times of all files in a folder. The compiler rewrites unchanged files too, so the oldest output counts.
 */
const times = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => statSync(`${parentPath}/${name}`).mtimeMs);

const isStale = () =>
  !existsSync(dist) || Math.max(...times(`${root}client/src`)) > Math.min(...times(dist)) || times(dist).length === 0;

export const buildClientIfStale = () => isStale() && buildClient();

if (process.argv[1] === fileURLToPath(import.meta.url)) buildClientIfStale();
