// The word list of CONTRIBUTING.md: names, comments, messages and pages do not use the words in code font of its left
// column.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const ROOT = resolve(__dirname, '../..');

/** Words that are right in their context, by the start of the path. An empty list: the whole text is not searched. */
const EXCEPTIONS: readonly (readonly [path: string, words: readonly string[], reason: string])[] = [
  ['CHANGELOG.md', ['asker'], 'names a label that was renamed'],
  ['CONTRIBUTING.md', [], 'holds the list'],
  ['test/architecture/words.spec.ts', [], 'tests the list'],
  ['test/chapters/', [], 'transcripts'],
  ['client/src/generated/', [], 'generated'],
  ['test/conformance/', ['nobody', 'somebody'], 'the caller without a token, and the owner in every case file'],
  ['console/src/shell/shell.tsx', ['nobody'], 'the name shown for a caller without a user'],
  ['src/reports/', ['misfit'], 'the type MisfitReason'],
  ['src/reports/changes/change-events.ts', ['bye'], 'the name of an event of the stream'],
  ['docs/reports.md', ['bye'], 'the name of an event of the stream'],
  ['test/nova/cloud/', ['glance'], "the name of OpenStack's Image service"],
  ['src/practice-cloud/identity/catalog.ts', ['glance'], "the name of OpenStack's Image service"],
  ['docs/move-from-placement.md', ['trail'], 'the name of an example project'],
];

/** The words in code font of the left column of the table under `## Words`. */
function wordsOf(contributing: string): readonly string[] {
  const section = /## Words\n([\s\S]*?)\n## /.exec(contributing)?.[1] ?? '';
  const left = [...section.matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => cell);
  return left.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word));
}

const WORDS = wordsOf(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8'));

/** `toldAt` is `told At told At`, so words inside names are found, and names that are in the list themselves. */
const partsOf = (name: string): string =>
  `${name} ${name.replaceAll('_', ' ').replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')}`;

interface Searched {
  readonly path: string;
  readonly text: string;
}

/** Comments, names, and the messages of the product. Texts of suites are data and sentences about behaviour. */
function searchedText({ path, text }: Searched): string {
  if (!/\.(tsx?|mjs)$/.test(path)) return text;
  const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : path.endsWith('.mjs') ? ts.ScriptKind.JS : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  const isSuite = path.startsWith('test/') || /\.(spec|fixture)\.ts/.test(path) || path.includes('-faults.mjs');
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isNameOfDeclaration(node)) found.push(partsOf(node.text));
    if (!isSuite && (isText(node) || ts.isJsxText(node))) found.push(node.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const [comment] of text.matchAll(/(?:^|\s)\/\/.*$|\/\*\*?\s[\s\S]*?\*\//gm)) found.push(comment);
  return found.join('\n');
}

const isText = (node: ts.Node): node is ts.LiteralLikeNode =>
  ts.isStringLiteralLike(node) || ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node);

const isNameOfDeclaration = (node: ts.Identifier): boolean => 'name' in node.parent && node.parent.name === node;

/** The words of the list in a file, without its exceptions. */
function listedWords(file: Searched): readonly string[] {
  const exceptions = EXCEPTIONS.filter(([path]) => file.path.startsWith(path));
  if (exceptions.some(([, words]) => words.length === 0)) return [];
  const allowed = new Set(exceptions.flatMap(([, words]) => words));
  const searched = searchedText(file);
  return WORDS.filter((word) => !allowed.has(word) && new RegExp(`\\b${word}s?\\b`, 'i').test(searched));
}

const FILES = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => /^(src|client\/src|console\/src|scripts|test|migrations)\/.*\.(tsx?|mjs)$|\.md$/.test(path))
  .map((path): Searched => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

it('the list has words, and there are files to search', () => {
  expect(WORDS.length).toBeGreaterThan(25);
  expect(FILES.length).toBeGreaterThan(1_000);
});

it('names, comments, messages and pages do not use the words of the list', () => {
  const found = FILES.map((file) => [file.path, listedWords(file)] as const).filter(([, words]) => words.length > 0);
  expect(found.map(([path, words]) => `${path}: ${words.join(', ')}`)).toEqual([]);
});

it.each([
  ['src/scheduler/scheduler.service.ts', 'const toldAt = 1;'],
  ['src/scheduler/scheduler.service.ts', 'class SearchTally {}'],
  ['console/src/console.tsx', 'const x = <p>Nobody has this trait.</p>;'],
  ['src/scheduler/scheduler.service.ts', "throw new Error('somebody else took it');"],
  ['src/scheduler/scheduler.service.ts', 'const x = `${y} beside ${z}`;'],
  ['test/e2e/audit.spec.ts', '// Whoever asks gets an answer.'],
  ['test/e2e/audit.spec.ts', '/** Told to the caller. */'],
  ['docs/audit.md', 'The client ought to retry.'],
])('would find the word in %s: %s', (path, text) => expect(listedWords({ path, text })).toHaveLength(1));

it.each([
  ['src/scheduler/scheduler.service.ts', 'const trailing = 1;'],
  ['test/e2e/audit.spec.ts', "it('is refused', () => post('nobody'));"],
])('accepts %s: %s', (path, text) => expect(listedWords({ path, text })).toEqual([]));
