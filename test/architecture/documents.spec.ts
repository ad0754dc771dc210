// What documents and sources name exists: files and headings of links, decision records, npm scripts and programs.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');
const tracked = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .split('\n')
  .filter((path) => path !== '' && existsSync(join(ROOT, path)));
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const withoutCode = (text: string): string => text.replaceAll(/```[\s\S]*?```/g, '');

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .replaceAll(/`|\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\-_ ]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (text: string): readonly string[] =>
  [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** The broken links of a document: without a file, or without a heading. */
function brokenLinks(path: string, text: string): readonly string[] {
  const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^(https?|mailto):/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? path : normalize(join(dirname(path), file)).replace(/\/$/, '');
    const isThere = tracked.some((each) => each === target || each.startsWith(`${target}/`));
    if (!isThere) return true;
    return (
      anchor !== undefined &&
      target.endsWith('.md') &&
      !anchorsOf(target === path ? text : textOf(target)).includes(anchor)
    );
  });
}

const DOCUMENTS = tracked.filter((path) => path.endsWith('.md'));
const RECORDS = readdirSync(join(ROOT, 'docs/adr'))
  .sort()
  .map((name) => Number(/^(\d{4})-/.exec(name)?.[1]));

/** The numbers of decision records that a text names and that do not exist. */
const unknownRecords = (text: string): readonly string[] =>
  [...text.matchAll(/\bADR[ \n]+(\d+)((?:, \d+)*)/g)]
    .flatMap(([, first = '', more = '']) => [first, ...more.split(', ').slice(1)])
    .filter((number) => !RECORDS.includes(Number(number)));

const COMMANDS = (JSON.parse(textOf('package.json')) as { scripts: Readonly<Record<string, string>> }).scripts;
const SCRIPTS = Object.keys(COMMANDS);

/** Commands of the project that a text names and that do not exist. */
const unknownCommands = (text: string): readonly string[] => [
  ...[...text.matchAll(/\bnpm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, name = '']) => name).filter(isNoScript),
  ...[...text.matchAll(/\bnode ((?:scripts|test)\/[\w./-]+\.mjs)/g)].map(([, path = '']) => path).filter(isNoFile),
];
const isNoFile = (path: string): boolean => !tracked.includes(path);
/** `install` is that of a dependency. */
const isNoScript = (name: string): boolean => name !== 'install' && !SCRIPTS.includes(name);

it('every link of a document names a file, and a heading in it', () => {
  expect(DOCUMENTS.length).toBeGreaterThan(50);
  expect(DOCUMENTS.flatMap((path) => brokenLinks(path, textOf(path)).map((link) => `${path}: ${link}`))).toEqual([]);
});

it('every decision record that is named exists, numbered from 1', () => {
  expect(RECORDS).toEqual(RECORDS.map((_, at) => at + 1));
  const named = tracked.filter((path) => /\.(md|ts|tsx|mjs)$/.test(path) && !path.startsWith('test/architecture/'));
  expect(named.flatMap((path) => unknownRecords(textOf(path)).map((number) => `${path}: ADR ${number}`))).toEqual([]);
});

it.each([
  ['[no such page](docs/nowhere.md)', ['docs/nowhere.md']],
  ['[no such heading](docs/limits.md#nowhere)', ['docs/limits.md#nowhere']],
  ['[no such heading here](#nowhere)', ['#nowhere']],
  ['## What `berth` *does*\n[here](#what-berth-does), [there](docs/limits.md#fair-shares), [a folder](docs/adr)', []],
  ['```\n[code](docs/nowhere.md)\n```\n[elsewhere](https://example.com/nowhere.md)', []],
])('judges the links of %j', (text, broken) => expect(brokenLinks('README.md', text)).toEqual(broken));

it('every npm script and program that is named exists', () => {
  const named = tracked.filter(
    (path) => /\.(md|ts|tsx|mjs|yaml|yml)$|^\.ci\//.test(path) && !path.endsWith('documents.spec.ts'),
  );
  expect(named.flatMap((path) => unknownCommands(textOf(path)).map((name) => `${path}: ${name}`))).toEqual([]);
});

it('every npm script of CONTRIBUTING.md that starts a tool installs the tools first', () => {
  const named = [...textOf('CONTRIBUTING.md').matchAll(/\bnpm (?:run )?(?:--silent )?([a-z]+)/g)].map(
    ([, name = '']) => name,
  );
  const starting = SCRIPTS.filter(
    (name) => named.includes(name) && /\bjest|scripts\/test\.mjs/.test(COMMANDS[name] ?? ''),
  );
  expect(starting).toEqual(expect.arrayContaining(['test', 'check', 'docs', 'conformance', 'access']));
  for (const name of starting) expect(COMMANDS[`pre${name}`]).toBe('node scripts/bootstrap.mjs --tools');
});

it('judges the commands of a text', () =>
  expect(unknownCommands('npm run docs, `npm run nothing`, node test/nowhere.mjs and node scripts/smoke.mjs')).toEqual([
    'nothing',
    'test/nowhere.mjs',
  ]));

/** Commands `berth …` in a block, as a package has them on the PATH. */
const hasBareCommands = (text: string): boolean =>
  [...text.matchAll(/^ *```(\w*)\n([\s\S]*?)^ *```/gm)].some(
    ([, language = '', block = '']) =>
      ['', 'sh'].includes(language) && /^\s*(\$ )?berth [a-z-]|[(|] ?berth [a-z]/m.test(block),
  );

it('every page with commands says how a checkout runs them', () => {
  const pages = tracked.filter((path) => /^(docs\/[\w-]+|README)\.md$/.test(path) && hasBareCommands(textOf(path)));
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter((path) => !textOf(path).includes('In a checkout, write `npx berth` for `berth`'))).toEqual([]);
});

it.each([
  ['```sh\nberth hosts\n```', true],
  ['1. Do\n   ```sh\n   echo a | berth simulate -\n   ```', true],
  ['```\n$ berth why cn1\n```', true],
  ['```sh\nnpx berth hosts\n```', false],
  ['`berth hosts`', false],
])('judges whether %j has commands', (text, expected) => expect(hasBareCommands(text)).toBe(expected));

it('judges the records of a text', () =>
  expect(unknownRecords('ADR 4, and (ADR 8, 99), ADR\n98')).toEqual(['99', '98']));
