// Measures the product code: lines per area, and facts that are stated in several places. `npm run measure`; with `--
// --compare REVISION` also for another revision. Reads only files under git, without generated ones, and executes none.
import { execFileSync } from 'node:child_process';
import { dirname, join, normalize } from 'node:path';
import { parseArgs } from 'node:util';
import ts from 'typescript';

const { values: asked } = parseArgs({ options: { compare: { type: 'string' }, names: { type: 'boolean' } } });

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
  const found = text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gms);
  return [...found].map((match) => normalize(join(dirname(path), match[1] ?? match[2])));
}

/** The rooms of src by floor, from the ground up. */
const FLOORS = JSON.parse(ts.sys.readFile('test/architecture/floor-plan.json'));
const floorOf = (room) => FLOORS.findIndex((rooms) => rooms.includes(room));

/** The room of a path below src. The wiring is the files at the top, except cli.ts. */
function planRoomOf(path) {
  const [, top = '', ...rest] = path.split('/');
  if (rest.length > 0) return top;
  return /^cli(\.[jt]s)?$/.test(top) ? 'cli' : 'wiring';
}

/** Different pairs that the imports below src make of their two files; undefined: no pair. */
function importPairs(files, pairOf) {
  const pairs = files
    .filter(([path]) => path.startsWith('src/'))
    .flatMap(([path, text]) => importsOf(path, text).map((name) => name.startsWith('src/') && pairOf(path, name)))
    .filter((pair) => pair && pair[0] !== pair[1]);
  return [...new Set(pairs.map((pair) => pair.join(' -> ')))].map((pair) => pair.split(' -> '));
}

const roomArrows = (files) => importPairs(files, (path, name) => [planRoomOf(path), planRoomOf(name)]);

/** Number of rooms in the longest chain of imports. An arrow that closes a cycle does not count. */
function floorsOf(arrows) {
  const heights = new Map();
  const heightOf = (room) => {
    if (heights.has(room)) return heights.get(room);
    heights.set(room, 0);
    const below = arrows.filter(([from]) => from === room).map(([, to]) => heightOf(to));
    heights.set(room, 1 + Math.max(0, ...below));
    return heights.get(room);
  };
  return Math.max(0, ...arrows.map(([from]) => heightOf(from)));
}

/** The folder of a file inside its room; files next to the folders have none. */
const folderOf = (path) => path.split('/').slice(0, 3).join('/');

/** Pairs of folders inside one room that import each other. */
function folderCycles(files) {
  const folders = new Set(
    files
      .map(([path]) => path)
      .filter((path) => path.split('/').length > 3)
      .map(folderOf),
  );
  const arrows = importPairs(files, (path, name) => {
    const pair = [folderOf(path), folderOf(name)];
    return pair.every((folder) => folders.has(folder)) && planRoomOf(path) === planRoomOf(name) && pair;
  }).map((pair) => pair.join(' <-> '));
  return arrows.filter((pair) => {
    const [one, other] = pair.split(' <-> ');
    return one < other && arrows.includes(`${other} <-> ${one}`);
  });
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

/** The folders of placement and of compute are slices; files next to them belong to all of them. */
function sliceOf(path) {
  const parts = path.replace('src/scheduler/registries/', 'src/compute/').split('/');
  const hasSlices = ['compute', 'placement'].includes(parts[1]) && parts.length > 3;
  return parts.slice(0, hasSlices ? 3 : 2).join('/');
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
  const arrows = roomArrows(files);
  const up = arrows.filter(([from, to]) => floorOf(from) <= floorOf(to));
  const cycles = folderCycles(files);
  return {
    rooms,
    lists: {
      up: up.map((pair) => pair.join(' -> ')),
      cycles,
      twice,
      foreign,
      sql,
      columns: listed(columns),
      options: listed(options),
    },
    figures: [
      ['product lines', total],
      ['share of the largest room, %', Math.round((100 * Math.max(...rooms.values())) / total)],
      ['files', files.length],
      ['rooms of src, with the wiring', new Set(arrows.flat()).size],
      ['floors: rooms in the longest chain of imports', floorsOf(arrows)],
      ['arrows between rooms', arrows.length],
      ['arrows up, or to a room on the same floor', up.length],
      ['pairs of folders inside a room that import each other', cycles.length],
      ['names exported by two files', twice.length],
      ["imports of another slice's repository", foreign.length],
      ['files with SQL in them', sql.length],
      ['lines that name a column of a registry, on average', mean(columns)],
      ['lines that name an option of the scheduler, on average', mean(options)],
      ...proseFigures(files),
    ],
  };
}

/** The words in code font of the left column of the word list in CONTRIBUTING.md, of the work tree. */
function listedWords() {
  const section = /## Words\n([\s\S]*?)\n## /.exec(ts.sys.readFile('CONTRIBUTING.md') ?? '')?.[1] ?? '';
  const cells = [...section.matchAll(/^\| (.*?) \|/gm)].map(([, cell]) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word));
}

const commentLinesOf = (text) =>
  [...text.matchAll(/(?:^|\s)\/\/(.*)$|\/\*\*?\s([\s\S]*?)\*\//gm)]
    .flatMap(([, line, block]) => (line ?? block).split('\n'))
    .filter((line) => /[a-z]/i.test(line));

/** An indefinite pronoun, or a clause that begins with `what`: the actor or the thing has no name. */
const PRONOUN_SUBJECT =
  /(?:^[\s*]*|[.:;,] |\b(?:and|or|but|which|that) )what(?:ever)?\b|\b(?:whoever|nobody|somebody|everybody|anybody)\b/i;

/** Names, comments and messages of the product are searched; test/architecture/words.spec.ts also searches suites and pages. */
function proseFigures(files) {
  const words = listedWords().map((word) => new RegExp(`\\b${word}s?\\b`, 'gi'));
  const comments = files.flatMap(([, text]) => commentLinesOf(text));
  const parts = files.map(([, text]) => text.replaceAll('_', ' ').replaceAll(/([a-z\d])([A-Z])/g, '$1 $2'));
  const count = (pattern) => parts.reduce((sum, text) => sum + (text.match(pattern)?.length ?? 0), 0);
  return [
    ['words of the list in CONTRIBUTING', words.reduce((sum, pattern) => sum + count(pattern), 0)],
    ['lines of comments', comments.length],
    ['lines of comments with a pronoun as a subject', comments.filter((line) => PRONOUN_SUBJECT.test(line)).length],
  ];
}

function print(now, before) {
  const row = (name, ...values) => {
    const shown = values.filter((value) => value !== undefined).map((value) => String(value).padStart(10));
    console.log(name.padEnd(58) + shown.join(''));
  };
  if (before !== undefined) row('', asked.compare.slice(0, 9), 'now');
  for (const room of [...new Set([...(before?.rooms.keys() ?? []), ...now.rooms.keys()])].sort()) {
    row(room, before && (before.rooms.get(room) ?? 0), now.rooms.get(room) ?? 0);
  }
  console.log();
  now.figures.forEach(([name, value], index) => row(name, before?.figures[index][1], value));
  if (asked.names !== true) return;
  for (const [name, list] of Object.entries(now.lists)) console.log(['', name, ...list].join('\n  '));
}

print(measure(), asked.compare === undefined ? undefined : measure(asked.compare));
