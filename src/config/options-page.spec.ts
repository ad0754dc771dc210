import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { renderOptionsReference } from './options-page';

const PAGE = join(__dirname, '../../docs/reference/options.md');

describe('docs/reference/options.md', () => {
  it('is what the table of options says (UPDATE_DOCS=1 writes it)', () => {
    const rendered = renderOptionsReference();
    if (process.env['UPDATE_DOCS'] === '1') {
      mkdirSync(dirname(PAGE), { recursive: true });
      writeFileSync(PAGE, rendered);
    }
    expect(readFileSync(PAGE, 'utf8')).toBe(rendered);
  });
});
