// The table of faults in README.md names tests that exist.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const TESTS = [
  ...readFileSync(join(__dirname, 'README.md'), 'utf8').matchAll(/`([^`]+\.(?:spec\.ts|mjs))`: (.+?)(?=<br>| \|)/g),
].map(([, file = '', name = '']): [string, string] => [file, name]);

it('has a table', () => expect(TESTS.length).toBeGreaterThan(20));

it.each(TESTS)('%s has the test "%s"', (file, name) => {
  const path = join(ROOT, file);
  expect(existsSync(path)).toBe(true);
  const text = readFileSync(path, 'utf8');
  expect(text.includes(`'${name}'`)).toBe(true);
});
