// The rules of what may import what, read from the import lines. Changing a rule and this test in one commit is fine.
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const SRC = join(ROOT, 'src');

interface SourceFile {
  /** Relative to src/. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

function sourceFiles(folder: string): readonly SourceFile[] {
  return readdirSync(folder).flatMap((name): readonly SourceFile[] => {
    const path = join(folder, name);
    if (statSync(path).isDirectory()) return sourceFiles(path);
    if (!name.endsWith('.ts') || /\.(spec|fixture)\.ts$/.test(name)) return [];
    const text = readFileSync(path, 'utf8');
    return [{ path: relative(SRC, path), text, imports: importsOf(path, text) }];
  });
}

/** Packages by name; files of ours relative to src/. */
function importsOf(path: string, text: string): readonly string[] {
  const found = text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)';|^import '([^']+)';/gms);
  return [...found].map((match) => {
    const name = match[1] ?? match[2] ?? '';
    return name.startsWith('.') ? relative(SRC, resolve(dirname(path), name)) : name;
  });
}

const FILES = sourceFiles(SRC);

const PURE = [
  'domain',
  'candidate-search',
  'scheduler/pipeline',
  'scheduler/prefilters',
  'scheduler/filters',
  'scheduler/weighers',
  'scheduler/request',
  'scheduler/numa',
  'scheduler/pci',
  'scheduler/drivers',
];
/** Beside files that are not pure. */
const PURE_FILES = ['build-host-state', 'charge-host', 'grown', 'host-facts', 'host-state', 'states-of-candidates'].map(
  (name) => `scheduler/host-state/${name}`,
);
const isPure = (name: string): boolean =>
  isIn(`${name}/`, PURE) || PURE_FILES.some((file) => name === file || name === `${file}.ts`);
const isIn = (path: string, folders: readonly string[]): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));
const isPackage = (name: string): boolean =>
  !FILES.some((file) => file.path === `${name}.ts` || file.path === `${name}/index.ts`);

/** Slices, each of which may reach those before it. The edge folders below may be reached by all of them. */
const ORDER = [
  'resource-classes',
  'traits',
  'resource-providers',
  'provider-traits',
  'aggregates',
  'inventories',
  'consumers',
  'usages',
  'allocations',
  'reshaper',
  'allocation-candidates',
  'scheduler',
];

const lines = (breaches: readonly (readonly [string, string])[]): readonly string[] =>
  breaches.map(([from, to]) => `${from} -> ${to}`);

const imports = (files = FILES): readonly (readonly [SourceFile, string])[] =>
  files.flatMap((file) => file.imports.map((name) => [file, name] as const));

it('sees the sources and their imports', () => {
  expect(FILES.length).toBeGreaterThan(100);
  expect(imports().length).toBeGreaterThan(300);
});

/** What a pure file may not import: packages, and whatever is neither pure nor an error. */
const impureImports = (files = FILES): readonly string[] =>
  lines(
    imports(files)
      .filter(([file]) => isPure(file.path))
      .filter(([, name]) => isPackage(name) || !(isPure(name) || name === 'errors/domain-errors'))
      .map(([file, name]): [string, string] => [file.path, name]),
  );

const CLOCK_OR_CHANCE = /\b(Date\.now|new Date\(\)|performance\.now|Math\.random|setTimeout|process\.)/;
const impureFiles = (files = FILES): readonly string[] =>
  files.filter((file) => isPure(file.path) && CLOCK_OR_CHANCE.test(file.text)).map((file) => file.path);

it('pure folders import pure folders and errors only', () => expect(impureImports()).toEqual([]));

it('pure folders have neither clock nor chance', () => expect(impureFiles()).toEqual([]));

it.each([...PURE.map((folder) => `${folder}/planted.ts`), ...PURE_FILES.map((file) => `${file}.ts`)])(
  'would find what is planted in %s',
  (path) => {
    const found = FILES.some((file) => file.path === path || dirname(file.path) === dirname(path));
    expect(found).toBe(true);
    const planted = (text: string): readonly SourceFile[] => [
      { path, text, imports: importsOf(join(SRC, path), text) },
    ];
    const root = '../'.repeat(path.split('/').length - 1);
    expect(impureImports(planted(`import { Database } from '${root}database/database';`))).toHaveLength(1);
    expect(impureImports(planted("import { DataSource } from 'typeorm';"))).toHaveLength(1);
    expect(impureImports(planted(`import type { Walk } from '${root}domain/walk';`))).toEqual([]);
    for (const text of ['Math.random()', 'Date.now()', 'new Date()', 'performance.now()']) {
      expect(impureFiles(planted(`const x = ${text};`))).toEqual([path]);
    }
  },
);

it('only the database layer, modules and loaders know TypeORM and the drivers', () => {
  const mayKnow = /(^database\/|\.(repository|entity|loader|module)\.ts$)/;
  const breaches = imports()
    .filter(([, name]) => ['typeorm', '@nestjs/typeorm', 'mysql2', 'better-sqlite3'].includes(name))
    .filter(([file]) => !mayKnow.test(file.path))
    .map(([file, name]): [string, string] => [file.path, name]);
  expect(lines(breaches)).toEqual([]);
});

it('versions stop at the edge: services, repositories and pure code never see ApiVersion', () => {
  const breaches = imports()
    .filter(([, name]) => name.startsWith('microversion/'))
    .filter(([file]) => /\.(service|repository|loader|commands)\.ts$/.test(file.path) || isIn(file.path, PURE))
    .map(([file, name]): [string, string] => [file.path, name]);
  expect(lines(breaches)).toEqual([]);
});

it('version numbers stand in the table only', () => {
  const breaches = FILES.filter((file) => file.path !== 'microversion/microversions.ts')
    .filter((file) => !isIn(file.path, ['config', 'auth']) && !file.path.startsWith('domain/standard-'))
    .filter((file) => /['"`]1\.\d{1,2}['"`]|V1_\d+/.test(file.text.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '')))
    .map((file) => file.path);
  // The scheduler names the version of the queries it would send, which is nova's.
  expect(breaches.filter((path) => !path.startsWith('scheduler/'))).toEqual([]);
});

it('slices reach each other in one order', () => {
  const rank = (path: string): number => ORDER.findIndex((slice) => path.startsWith(`${slice}/`));
  const breaches = imports()
    .filter(([file, name]) => rank(file.path) >= 0 && rank(name) > rank(file.path))
    .map(([file, name]): [string, string] => [file.path, name]);
  expect(lines(breaches)).toEqual([]);
});

it('the scheduler reaches Placement through services, never through its tables', () => {
  const breaches = imports()
    .filter(([file]) => file.path.startsWith('scheduler/'))
    .filter(([, name]) => /\.repository$/.test(name) && !name.startsWith('scheduler/'))
    .map(([file, name]): [string, string] => [file.path, name]);
  expect(lines(breaches)).toEqual([]);
});

it('nothing imports in a circle', () => {
  const graph = new Map(FILES.map((file) => [file.path.replace(/\.ts$/, ''), file.imports]));
  const resolved = (name: string): string => (graph.has(name) ? name : `${name}/index`);
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (name: string, path: readonly string[]): void => {
    const at = path.indexOf(name);
    if (at >= 0) circles.push([...path.slice(at), name].join(' -> '));
    if (at >= 0 || done.has(name)) return;
    for (const next of graph.get(name) ?? []) if (graph.has(resolved(next))) walk(resolved(next), [...path, name]);
    done.add(name);
  };
  for (const name of graph.keys()) walk(name, []);
  expect(circles).toEqual([]);
});

it('file names are kebab-case with a role, folders have no junk drawers', () => {
  const odd = FILES.map((file) => file.path).filter(
    (path) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.[a-z-]+)?\.ts$/.test(path) || /(utils|helpers|common|manager)/.test(path),
  );
  expect(odd).toEqual([]);
});
