// `node scripts/conformance-cells.mjs`: checks that each cell of route x method x era x status that the contract demands has
// a case, and that no case meets an excluded one, from the records of a run of the conformance suite in the folder
// BERTH_CONFORMANCE_REPORT.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { BERTH_CONFORMANCE_REPORT: FOLDER } = process.env;
if (FOLDER === undefined) {
  console.error(
    'Usage: export BERTH_CONFORMANCE_REPORT=FOLDER; npm run conformance; node scripts/conformance-cells.mjs',
  );
  process.exit(1);
}

const demands = JSON.parse(readFileSync(join(FOLDER, 'demands.json'), 'utf8'));
const met = metCells();
const has = ({ route, versions }, status) => versions.some((version) => met.has(`${route} | ${version} | ${status}`));
const problems = demands.flatMap((demand) => [
  ...demand.statuses
    .filter((status) => !has(demand, status))
    .map((status) => `${nameOf(demand)}: no case for ${status}`),
  ...demand.excluded
    .filter((status) => has(demand, status))
    .map((status) => `${nameOf(demand)}: ${status} is excluded`),
]);
for (const problem of problems) console.error(problem);
const cells = demands.reduce((sum, { statuses }) => sum + statuses.length, 0);
console.log(`${demands.length} eras of routes, ${cells} demanded cells, ${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

function nameOf({ route, era }) {
  return `${route} at ${era}`;
}

/** The cells that the cases of the run met: route, version and status. */
function metCells() {
  const known = new Set(demands.map(({ route }) => route));
  const paths = [...new Set(demands.map(({ route }) => route.split(' ').at(-1)))];
  const matchers = paths.map((path) => ({ path, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));
  const cells = new Set();
  for (const { method, path, version, status } of readExchanges()) {
    const at = matchers.find(({ pattern }) => pattern.test(path.split('?')[0]));
    if (at === undefined || version === null) continue;
    const named = `${method} ${at.path}`;
    const shown = status >= 200 && status < 300 ? '2xx' : status;
    cells.add(`${known.has(named) ? named : `(other) ${at.path}`} | ${version} | ${shown}`);
  }
  return cells;
}

function readExchanges() {
  const files = readdirSync(FOLDER).filter((name) => name.startsWith('exchanges-'));
  const lines = files.flatMap((name) => readFileSync(join(FOLDER, name), 'utf8').split('\n'));
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
