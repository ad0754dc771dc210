// The rules of what may import what, read from the import lines. Changing a rule and this test in one commit is fine.
import { join } from 'node:path';
import { impureNamesIn } from './impure-names';
import type { SourceFile } from './sources';
import { FILES, importsOf, isIn, lines, PLACEMENT_SLICES, SRC } from './sources';

const PURE = ['platform/values', 'placement/domain', 'placement/candidate-search', 'scheduling-rules'];
const isPure = (name: string): boolean => isIn(`${name}/`, PURE);
const isPackage = (name: string): boolean =>
  !FILES.some((file) => file.path === `${name}.ts` || file.path === `${name}/index.ts`);

const imports = (files = FILES): readonly (readonly [SourceFile, string])[] =>
  files.flatMap((file) => file.imports.map((name) => [file, name] as const));

it('finds the sources and their imports', () => {
  expect(FILES.length).toBeGreaterThan(100);
  expect(imports().length).toBeGreaterThan(300);
});

/** The imports that a pure file must not have: packages, and files outside of pure folders. JSON files are data. */
const impureImports = (files = FILES): readonly string[] =>
  lines(
    imports(files)
      .filter(([file]) => isPure(file.path))
      .filter(([, name]) => !isPure(name) || (isPackage(name) && !name.endsWith('.json')))
      .map(([file, name]): [string, string] => [file.path, name]),
  );

const impureFiles = (files = FILES): readonly string[] =>
  files.filter((file) => isPure(file.path) && impureNamesIn(file.text).length > 0).map((file) => file.path);

it('pure folders import pure folders only', () => expect(impureImports()).toEqual([]));

it('pure folders use neither clock nor randomness', () => expect(impureFiles()).toEqual([]));

const PURE_FILES = FILES.map((file) => file.path).filter(isPure);

it('detects every insertion into a pure file', () => {
  expect(PURE_FILES.length).toBeGreaterThan(150);
  for (const path of PURE_FILES) {
    const planted = (text: string): readonly SourceFile[] => [
      { path, text, imports: importsOf(join(SRC, path), text) },
    ];
    const root = '../'.repeat(path.split('/').length - 1) || './';
    for (const name of [
      `${root}platform/database/database`,
      `${root}compute/hosts/hosts.service`,
      `${root}compute/hosts/hosts.json`,
      'typeorm',
      '@nestjs/common',
    ]) {
      expect(impureImports(planted(`import { Planted } from '${name}';`))).toHaveLength(1);
    }
    expect(impureImports(planted(`import type { Task } from '${root}platform/values/task';`))).toEqual([]);
  }
});

const PURE_FILE = 'scheduling-rules/filters/io-ops.filter.ts';

it.each([
  'Math.random()',
  'Date.now()',
  'new Date()',
  'new Date',
  'Date()',
  '[].map(Date.now)',
  'performance.now()',
  'process.env',
  'crypto.randomUUID()',
  'setInterval(f, 1)',
  'setImmediate(f)',
  'globalThis.Date',
  '{ process }',
  'f(Math)',
])('detects %s in a pure file', (text) => {
  expect(impureFiles([{ path: PURE_FILE, text: `const x = ${text};`, imports: [] }])).toEqual([PURE_FILE]);
});

it.each(['const { now } = Date;', 'const { env } = process;', 'const { random: dice } = Math;'])(
  'detects a destructured name in %s',
  (text) => expect(impureFiles([{ path: PURE_FILE, text, imports: [] }])).toEqual([PURE_FILE]),
);

it.each(['new Date(ms)', 'Date.parse(text)', 'Math.max(1, 2)', '{ process: 1 }.process', "'process' // Date.now()"])(
  'accepts %s as pure',
  (text) => expect(impureNamesIn(`const x = ${text};`)).toEqual([]),
);

it.each([
  "import 'node:crypto';",
  'import { randomUUID } from "node:crypto";',
  "export { randomUUID } from 'node:crypto';",
  "const { randomUUID } = await import('node:crypto');",
  "const crypto = require('node:crypto');",
  "import crypto = require('node:crypto');",
])('detects the import in %s', (text) => {
  const imported = importsOf(join(SRC, PURE_FILE), text);
  expect(impureImports([{ path: PURE_FILE, text, imports: imported }])).toHaveLength(1);
});

it('only the database, logging and the configuration are global, so imports show all other dependencies', () => {
  const globals = FILES.filter(({ text }) => /@Global\(\)|\bglobal: true\b/.test(text)).map(({ path }) => path);
  expect(globals).toEqual([
    'platform/config/config.module.ts',
    'platform/database/database.module.ts',
    'platform/logging/logging.module.ts',
  ]);
});

it('only the database layer, entities, modules and the services of registries use TypeORM and the drivers', () => {
  const mayKnow =
    /^platform\/database\/|^compute\/registry\.ts$|^compute\/.*\.service\.ts$|\.(repository|entity|loader|module)\.ts$/;
  const breaches = imports()
    .filter(([, name]) => ['typeorm', '@nestjs/typeorm', 'mysql2', 'better-sqlite3'].includes(name))
    .filter(([file]) => !mayKnow.test(file.path))
    .map(([file, name]): [string, string] => [file.path, name]);
  expect(lines(breaches)).toEqual([]);
});

/** A status in a literal, a comparison, a type or as a key; and the status constants of Nest and Fastify. */
const HTTP_STATUS =
  /\bstatus(Code)?\b['"]?\]?\??\s*[:=!<>]+\s*[1-5]\d\d\b|^\s*[1-5]\d\d: |\bHttpStatus\b|\bHttpCode\b/m;
/** Tables about HTTP: the answers of other services, and the names of refusals by status. */
const ABOUT_STATUSES = [
  'platform/auth/keystone/identity-client.ts',
  'practice-cloud/practice-cloud-apis.ts',
  'platform/openapi/refusals.ts',
  'scheduler/remote-placement/remote-placement.ts',
];
const filesWithStatus = (files = FILES): readonly string[] =>
  files
    .filter(({ path }) => !path.startsWith('platform/http/') && !path.endsWith('.controller.ts'))
    .filter(({ path }) => !ABOUT_STATUSES.includes(path))
    .filter(({ text }) => HTTP_STATUS.test(text))
    .map(({ path }) => path);

it('only http and controllers use statuses; other code throws by error code', () =>
  expect(filesWithStatus()).toEqual([]));

it.each([
  "throw new Refused({ status: 409, code: 'x' });",
  'readonly status: 400 | 404;',
  'if (refusal?.status === 503) return;',
  'reply.statusCode = 404;',
  "const NAMES = {\n  404: 'itemNotFound',\n};",
])('detects the status in %s', (text) =>
  expect(filesWithStatus([{ path: 'placement/traits/traits.service.ts', text, imports: [] }])).toHaveLength(1),
);

/** Exception classes of Nest have a status. */
const NEST_ERROR = /(?<!NodeJS\.)\b[A-Z]\w+Exception\b/;
const throwingPastTheTable = (files = FILES): readonly string[] =>
  files
    .filter(({ path, text }) => path !== 'platform/http/error.filter.ts' && NEST_ERROR.test(text))
    .map(({ path }) => path);

it('errors are thrown by code: only the filter uses those of Nest', () => expect(throwingPastTheTable()).toEqual([]));

it.each(['throw new HttpException(message, 500);', "import { NotFoundException } from '@nestjs/common';"])(
  'detects Nest in %s',
  (text) => {
    for (const path of [
      'platform/http/route.guard.ts',
      'practice-cloud/image/images.controller.ts',
      'placement/traits/traits.service.ts',
    ]) {
      expect(throwingPastTheTable([{ path, text, imports: [] }])).toEqual([path]);
    }
  },
);

it('versions stop at the edge: services, repositories and pure code do not use ApiVersion', () => {
  const breaches = imports()
    .filter(([, name]) => name.startsWith('platform/microversion/'))
    .filter(([file]) => /\.(service|repository|loader|commands)\.ts$/.test(file.path) || isIn(file.path, PURE))
    .map(([file, name]): [string, string] => [file.path, name]);
  expect(lines(breaches)).toEqual([]);
});

it('version numbers are in the table only', () => {
  const breaches = FILES.filter((file) => file.path !== 'placement/microversions.ts')
    .filter(
      (file) =>
        !isIn(file.path, ['platform/config', 'platform/auth']) && !file.path.startsWith('placement/domain/standard-'),
    )
    .filter((file) => /['"`]1\.\d{1,2}['"`]|V1_\d+/.test(file.text.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, '')))
    .map((file) => file.path);
  // The scheduler names the version of its queries, which is that of nova; objects of nova have versions of their own.
  expect(breaches.filter((path) => !isIn(path, ['scheduling-rules', 'scheduler', 'nova']))).toEqual([]);
});

it('audited code uses the audit context, not the log', () => {
  const mayKnow = ['platform/audit', 'cli', 'platform/config'];
  const breaches = imports()
    .filter(([, name]) => name.startsWith('platform/audit/'))
    .filter(([file]) => !isIn(file.path, mayKnow) && !['application.ts', 'app.module.ts'].includes(file.path))
    .map(([file, name]): [string, string] => [file.path, name]);
  expect(lines(breaches)).toEqual([]);
});

it('reports write nothing except the samples of the history', () => {
  const writing = /\b(INSERT INTO|UPDATE [a-z_]+ SET|DELETE FROM)\b|\.write\(/;
  const breaches = FILES.filter(
    ({ path, text }) => path.startsWith('reports/') && !path.startsWith('reports/history/') && writing.test(text),
  );
  expect(breaches.map(({ path }) => path)).toEqual([]);
});

it('slices of placement reach each other in one order', () => {
  const rank = (path: string): number => PLACEMENT_SLICES.findIndex((slice) => path.startsWith(`${slice}/`));
  const breaches = imports()
    .filter(([file, name]) => rank(file.path) >= 0 && rank(name) > rank(file.path))
    .map(([file, name]): [string, string] => [file.path, name]);
  expect(lines(breaches)).toEqual([]);
});

it('there is no import cycle', () => {
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

it('file names are kebab-case with a role, and no folder has a generic name', () => {
  const odd = FILES.map((file) => file.path).filter(
    (path) => !/^([a-z0-9-]+\/)*[a-z0-9-]+(\.[a-z-]+)?\.ts$/.test(path) || /(utils|helpers|common|manager)/.test(path),
  );
  expect(odd).toEqual([]);
});
