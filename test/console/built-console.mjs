// Builds the console once for all its suites, unless it is built already: a service of another suite can be reading it.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** Written last. */
const BUILT = `${root}dist/console/index.html`;
const SOURCES = ['console/src', 'client/src'];
const SOURCE_FILES = ['console/index.html', 'console/vite.config.ts', 'scripts/build-console.mjs', 'package-lock.json'];

const mtimeMs = (path) => statSync(path).mtimeMs;
/** With folders, whose times change when a file is removed. */
const entriesOf = (folder) =>
  readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).map((name) => `${root}${folder}/${name}`);

function isStale() {
  if (!existsSync(BUILT)) return true;
  const sources = [...SOURCES.flatMap(entriesOf), ...SOURCE_FILES.map((name) => `${root}${name}`)];
  return Math.max(...sources.map(mtimeMs)) > mtimeMs(BUILT);
}

export default () => {
  if (isStale()) execFileSync(process.execPath, [`${root}scripts/build-console.mjs`], { stdio: 'inherit' });
};
