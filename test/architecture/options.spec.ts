// Options and their readers.
import { OPTION_TABLE } from '../../src/options';
import { FILES } from './sources';

const { rows } = OPTION_TABLE;

it('every option is declared in one place', () => {
  const declaration = /\b(\w+): (?:boolean|integer|number|text|choice|list|multi)\(/g;
  const declared = FILES.filter(({ path }) =>
    /^(platform\/config\/groups|scheduling-rules)\/|^[a-z-]+\/options\.ts$/.test(path),
  ).flatMap(({ text }) => [...text.matchAll(declaration)].map(([, name]) => name));
  declared.push('max_io_ops_per_host', 'max_instances_per_host'); // Constants that two filters share.
  expect(declared.sort()).toEqual(rows.map(({ name }) => name).sort());
});

it('every option is read', () => {
  const readers = FILES.filter(
    ({ path }) => !/^platform\/config\/groups\/|^[a-z-]+\/(former-)?options\.ts$/.test(path),
  );
  const isRead = (name: string): boolean =>
    readers.some(({ text }) => new RegExp(`\\b${name}\\b(?!: \\w+\\()`).test(text));
  expect(rows.filter(({ name }) => !isRead(name)).map(({ name }) => name)).toEqual([]);
});
