// Every export is imported by another file; names used in one file only have no `export`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(__dirname, '../..');
/** Folders whose exports are for this repository only, except the files that are read from outside. */
const ROOMS = ['src/', 'console/src/'];
const FACES = ['src/scheduling-rules/plugin-api.ts'];

const ENDINGS = ['', '.ts', '.tsx', '.mts', '/index.ts'];

interface Module {
  readonly exported: readonly string[];
  /** The file and the imported name; `*`: all of its names. */
  readonly imported: readonly (readonly [specifier: string, name: string])[];
}

const hasExport = (node: ts.Statement): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);

const textOf = (node: ts.Node | undefined): string => (node !== undefined && ts.isStringLiteral(node) ? node.text : '');

function namesIn(statement: ts.Statement): readonly string[] {
  if (!hasExport(statement)) return [];
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name)
        ? [name.text]
        : name.elements.flatMap((each) =>
            ts.isBindingElement(each) && ts.isIdentifier(each.name) ? [each.name.text] : [],
          ),
    );
  }
  const { name } = statement as { readonly name?: ts.Identifier };
  return name === undefined ? [] : [name.text];
}

function moduleOf(path: string, text: string): Module {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const imported: [string, string][] = [];
  const taken = (specifier: string, clause: ts.NamedImportBindings | ts.NamedExportBindings | undefined): void => {
    if (clause === undefined || ts.isNamespaceImport(clause) || ts.isNamespaceExport(clause)) {
      imported.push([specifier, '*']);
      return;
    }
    for (const { name, propertyName } of clause.elements) imported.push([specifier, (propertyName ?? name).text]);
  };
  for (const statement of source.statements) {
    if (ts.isImportDeclaration(statement)) {
      const { importClause: clause } = statement;
      if (clause?.name !== undefined) imported.push([textOf(statement.moduleSpecifier), 'default']);
      if (clause?.namedBindings !== undefined) taken(textOf(statement.moduleSpecifier), clause.namedBindings);
    } else if (ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined) {
      taken(textOf(statement.moduleSpecifier), statement.exportClause);
    } else if (ts.isModuleDeclaration(statement) && statement.body !== undefined && ts.isModuleBlock(statement.body)) {
      // An interface that is extended by declaration merging.
      for (const each of statement.body.statements) {
        if (ts.isInterfaceDeclaration(each)) imported.push([textOf(statement.name), each.name.text]);
      }
    }
  }
  // Dynamic imports, and import types.
  for (const [, specifier = ''] of text.matchAll(
    /(?:import|require|requireActual|mock)(?:<[^(]*>)?\(\s*['"]([^'"]+)['"]/g,
  )) {
    imported.push([specifier, '*']);
  }
  return { exported: source.statements.flatMap(namesIn), imported };
}

const PATHS = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts', '*.tsx', '*.mjs', '*.cjs'], {
  cwd: ROOT,
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '');

function unusedIn(files: ReadonlyMap<string, string>): readonly string[] {
  const modules = new Map([...files].map(([path, text]) => [path, moduleOf(path, text)]));
  const used = new Set<string>();
  for (const [path, { imported }] of modules) {
    for (const [specifier, name] of imported) {
      // A dynamic import names the compiled file.
      const base = join(dirname(path), specifier.replace(/\.js$/, ''));
      const target = ENDINGS.map((ending) => `${base}${ending}`).find((each) => modules.has(each));
      if (target !== undefined) used.add(`${target}: ${name}`);
    }
  }
  return [...modules]
    .filter(([path]) => ROOMS.some((room) => path.startsWith(room)) && !FACES.includes(path))
    .filter(([path]) => !used.has(`${path}: *`))
    .flatMap(([path, { exported }]) => exported.map((name) => `${path}: ${name}`))
    .filter((place) => !used.has(place));
}

it('has no unused export', () => {
  const files = new Map(PATHS.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
  expect(files.size).toBeGreaterThan(500);
  expect(unusedIn(files)).toEqual([]);
});

it('detects one', () => {
  const files = new Map([
    [
      'src/a.ts',
      'export const one = 1, two = 2; export interface Three {} export class Four {} export interface Five {} const six = 6;',
    ],
    [
      'src/b.ts',
      "import { one } from './a'; import type { Three as Other } from './a'; declare module './a' { interface Five {} }",
    ],
  ]);
  expect(unusedIn(files)).toEqual(['src/a.ts: two', 'src/a.ts: Four']);
});
