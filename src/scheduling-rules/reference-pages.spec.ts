import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { schedulerRegistry } from './built-in';
import { renderFiltersPage, renderPrefiltersPage, renderWeighersPage } from './reference-pages.fixture';

const FOLDER = join(__dirname, '../../docs/reference');

// UPDATE_DOCS=1 writes the pages instead of comparing them.
describe('docs/reference', () => {
  it.each([
    ['filters.md', renderFiltersPage],
    ['weighers.md', renderWeighersPage],
    ['prefilters.md', renderPrefiltersPage],
  ])('%s matches the registry', (name, render) => {
    const file = join(FOLDER, name);
    const text = render(schedulerRegistry());
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, text);
    expect(readFileSync(file, 'utf8')).toBe(text);
  });
});
