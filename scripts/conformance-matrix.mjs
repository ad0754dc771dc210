// `node scripts/conformance-matrix.mjs`: prints route x method x era x status with the number of cases per cell, from the
// records of a run of the conformance suite in the folder BERTH_CONFORMANCE_REPORT. Fails if a cell that the contract
// requires has no case.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const { BERTH_CONFORMANCE_REPORT: FOLDER } = process.env;
if (FOLDER === undefined) {
  console.error(
    'Usage: export BERTH_CONFORMANCE_REPORT=FOLDER; npm run conformance; node scripts/conformance-matrix.mjs',
  );
  process.exit(1);
}

/** A path pattern as a regular expression for paths without query. */
function matcherOf(pattern) {
  const body = pattern.replaceAll(/\{\w+\}/g, '[^/]+');
  return new RegExp(`^${body}$`);
}

function readExchanges() {
  const files = readdirSync(FOLDER).filter((name) => name.startsWith('exchanges-'));
  const lines = files.flatMap((name) => readFileSync(join(FOLDER, name), 'utf8').split('\n'));
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

const classOf = (status) => (status >= 200 && status < 300 ? '2xx' : String(status));

/** Case names by route, version and status. */
function indexed(exchanges, demands) {
  const paths = [...new Set(demands.map(({ route }) => route.split(' ').at(-1)))];
  const matchers = paths.map((path) => ({ path, matches: matcherOf(path) }));
  const known = new Set(demands.map(({ route }) => route));
  const cases = new Map();
  for (const { caseName, method, path, version, status } of exchanges) {
    const at = matchers.find(({ matches }) => matches.test(path.split('?')[0]));
    if (at === undefined || version === null) continue;
    const named = `${method} ${at.path}`;
    const key = `${known.has(named) ? named : `(other) ${at.path}`} | ${version} | ${classOf(status)}`;
    const names = cases.get(key) ?? new Set();
    cases.set(key, names.add(caseName));
  }
  return cases;
}

function countOf(cases, { route, versions }, status) {
  const names = versions.flatMap((version) => [...(cases.get(`${route} | ${version} | ${status}`) ?? [])]);
  return new Set(names).size;
}

const COLUMNS = ['2xx', '400', '401', '403', '404', '405', '406', '409', '415'];

function printMatrix(demands, cases) {
  const problems = [];
  const width = Math.max(...demands.map(({ route }) => route.length));
  const line = (route, era, cells) =>
    `${route.padEnd(width)}  ${era.padEnd(9)}  ${cells.map((cell) => cell.padStart(4)).join(' ')}`;
  console.log(line('route', 'era', COLUMNS));
  let cellCount = 0;
  for (const demand of demands) {
    const cells = COLUMNS.map((status) => {
      const count = countOf(cases, demand, status);
      const isDemanded = demand.statuses.includes(status);
      if (isDemanded) cellCount += 1;
      if (isDemanded && count === 0) problems.push(`no case: ${demand.route} at ${demand.era} answering ${status}`);
      if (demand.excluded.includes(status) && count > 0) {
        problems.push(`excluded by the contract: ${demand.route} at ${demand.era} answering ${status}`);
      }
      if (isDemanded) return count === 0 ? '!' : String(count);
      return count === 0 ? '.' : `+${count}`;
    });
    console.log(line(demand.route, demand.era, cells));
  }
  console.log(
    `\n${demands.length} eras of routes, ${cellCount} demanded cells; "." not demanded, "+n" beyond the demand, "!" empty`,
  );
  return problems;
}

const demands = JSON.parse(readFileSync(join(FOLDER, 'demands.json'), 'utf8'));
const problems = printMatrix(demands, indexed(readExchanges(), demands));
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
