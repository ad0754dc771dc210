// Measures the product code: lines per area, and facts that are stated in several places. `npm run measure`; with `--
// --beside REVISION` also for another revision. Reads only files under git, without generated ones, and executes none.
import { execFileSync } from 'node:child_process';
import { dirname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const { values: asked } = parseArgs({ options: { beside: { type: 'string' }, names: { type: 'boolean' } } });

const git = (...args) => execFileSync('git', args, { encoding: 'utf8', maxBuffer: 1 << 28 });

const isProduct = (path) =>
  /\.(tsx?|mts|cts|jsx?|mjs|cjs)$/.test(path) &&
  !path.startsWith('test/') &&
  !path.includes('/generated/') &&
  !/\.(spec|fixture)\.tsx?$/.test(path);

/** Path and text of every product file, of the work tree or a revision. */
function productFiles(revision) {
  if (revision === undefined) {
    const paths = git('ls-files').split('\n').filter(isProduct);
    return new Map(paths.map((path) => [path, ts.sys.readFile(path) ?? '']));
  }
  const paths = git('ls-tree', '-r', '--name-only', revision).split('\n').filter(isProduct);
  return new Map(paths.map((path) => [path, git('show', `${revision}:${path}`)]));
}

/** Number of lines with at least one token: neither blank nor comment. */
function linesOfCode(path, text) {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = new Set();
  const visit = (node) => {
    if (node.kind >= ts.SyntaxKind.FirstJSDocNode && node.kind <= ts.SyntaxKind.LastJSDocNode) return;
    const children = node.getChildren(source);
    if (children.length > 0) return children.forEach(visit);
    if (node.end === node.getStart(source)) return;
    const first = source.getLineAndCharacterOfPosition(node.getStart(source)).line;
    const last = source.getLineAndCharacterOfPosition(node.end).line;
    for (let line = first; line <= last; line += 1) lines.add(line);
  };
  visit(source);
  return lines.size;
}

function roomOf(path) {
  const [top, room, ...rest] = path.split('/');
  if (top !== 'src') return room === undefined ? 'top level' : top;
  return rest.length === 0 ? 'src' : `src/${room}`;
}

function importsOf(path, text) {
  const found = text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '(\.[^']+)'/gms);
  return [...found].map((match) => normalize(join(dirname(path), match[1])));
}

/** Names that two or more files define and export. */
function namesExportedTwice(files) {
  const owners = new Map();
  for (const [path, text] of files) {
    if (!path.startsWith('src/')) continue;
    const names = text.matchAll(
      /^export (?:abstract )?(?:async )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm,
    );
    for (const name of new Set([...names].map((match) => match[1])))
      owners.set(name, [...(owners.get(name) ?? []), path]);
  }
  return [...owners].filter(([, paths]) => paths.length > 1);
}

/** Each registry is a slice; files next to the registry folders belong to all of them. */
function sliceOf(path) {
  const parts = path.replace('src/scheduler/registries/', 'src/compute/').split('/');
  return parts.slice(0, parts[1] === 'compute' && parts.length > 3 ? 3 : 2).join('/');
}

/** Imports of another slice's repository; each pair of files counts once. */
function foreignRepositoryImports(files) {
  const pairs = [...files].flatMap(([path, text]) =>
    importsOf(path, text)
      .filter((name) => /\.repository$/.test(name) && !sliceOf(path).startsWith(sliceOf(name)))
      .map((name) => `${path} -> ${name}`),
  );
  return [...new Set(pairs)];
}

const SQL = /[`'"]\s*(SELECT|INSERT|UPDATE|DELETE|REPLACE|MERGE|WITH)\s[^`'"]*\b(FROM|INTO|SET|AS)\b/;
const filesWithSql = (files) => files.filter(([path, text]) => path.startsWith('src/') && SQL.test(text));

/** Sample columns of registries with the owning folder; other surfaces that show them do not count. */
const COLUMNS = [
  ['flavors', 'ephemeral_gb'],
  ['flavors', 'swap_mb'],
  ['images', 'disk_format'],
  ['server-groups', 'max_server_per_host'],
  ['services', 'disabled_reason'],
  ['services', 'forced_down'],
];

/** Sample options of filters, a weigher and the pipeline. */
const OPTIONS = [
  'max_io_ops_per_host',
  'isolated_hosts',
  'cpu_weight_multiplier',
  'host_subset_size',
  'shuffle_best_same_weighed_hosts',
  'packing_host_numa_cells_allocation_strategy',
  'default_schedule_zone',
  'max_placement_results',
];

const camelCase = (name) => name.replaceAll(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** Lines with this name in snake case or camel case, without comments. */
function linesNaming(name, files) {
  const whole = new RegExp(`(?<!\\w)(${name}|${camelCase(name)})(?!\\w)`);
  return files.flatMap(([path, text]) =>
    text
      .split('\n')
      .map((line, index) => [`${path}:${index + 1}`, line])
      .filter(([, line]) => whole.test(line) && !/^\s*(\/\/|\*|\/\*)/.test(line))
      .map(([place]) => place),
  );
}

const columnPlaces = (files) =>
  COLUMNS.map(([slice, name]) => [
    `${slice}.${name}`,
    linesNaming(
      name,
      files.filter(([path]) => path.startsWith('migrations/') || sliceOf(path) === `src/compute/${slice}`),
    ),
  ]);

const optionPlaces = (files) =>
  OPTIONS.map((name) => [
    name,
    linesNaming(
      name,
      files.filter(([path]) => path.startsWith('src/')),
    ),
  ]);

const mean = (places) => (places.reduce((sum, [, list]) => sum + list.length, 0) / places.length).toFixed(1);
const listed = (places) => places.map(([name, list]) => `${name}: ${list.length}, ${list.join(' ')}`);

function measure(revision) {
  const files = [...productFiles(revision)];
  const rooms = new Map();
  for (const [path, text] of files) rooms.set(roomOf(path), (rooms.get(roomOf(path)) ?? 0) + linesOfCode(path, text));
  const total = [...rooms.values()].reduce((sum, lines) => sum + lines, 0);
  const twice = namesExportedTwice(files).map(([name, paths]) => `${name}: ${paths.join(', ')}`);
  const foreign = foreignRepositoryImports(files);
  const sql = filesWithSql(files).map(([path]) => path);
  const columns = columnPlaces(files);
  const options = optionPlaces(files);
  return {
    rooms,
    lists: { twice, foreign, sql, columns: listed(columns), options: listed(options) },
    figures: [
      ['product lines', total],
      ['share of the largest room, %', Math.round((100 * Math.max(...rooms.values())) / total)],
      ['files', files.length],
      ['names exported by two files', twice.length],
      ["imports of another slice's repository", foreign.length],
      ['files with SQL in them', sql.length],
      ['lines that name a column of a registry, on average', mean(columns)],
      ['lines that name an option of the scheduler, on average', mean(options)],
    ],
  };
}

function print(now, before) {
  const row = (name, ...values) => {
    const shown = values.filter((value) => value !== undefined).map((value) => String(value).padStart(10));
    console.log(name.padEnd(58) + shown.join(''));
  };
  if (before !== undefined) row('', asked.beside.slice(0, 9), 'now');
  for (const room of [...new Set([...(before?.rooms.keys() ?? []), ...now.rooms.keys()])].sort()) {
    row(room, before && (before.rooms.get(room) ?? 0), now.rooms.get(room) ?? 0);
  }
  console.log();
  now.figures.forEach(([name, value], index) => row(name, before?.figures[index][1], value));
  if (asked.names !== true) return;
  for (const [name, list] of Object.entries(now.lists)) console.log(['', name, ...list].join('\n  '));
}

print(measure(), asked.beside === undefined ? undefined : measure(asked.beside));
