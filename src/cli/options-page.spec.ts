import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OPTION_TABLE } from '../options';
import { renderOptionsReference } from '../platform/config/options-page.fixture';

const PAGE = join(__dirname, '../../docs/reference/options.md');
const GUIDE = join(__dirname, '../../docs/move-scheduler-options.md');

describe('docs/reference/options.md', () => {
  it('is what the table of options says (UPDATE_DOCS=1 writes it)', () => {
    const rendered = renderOptionsReference(OPTION_TABLE.rows);
    if (process.env['UPDATE_DOCS'] === '1') {
      mkdirSync(dirname(PAGE), { recursive: true });
      writeFileSync(PAGE, rendered);
    }
    expect(readFileSync(PAGE, 'utf8')).toBe(rendered);
  });
});

describe('docs/move-scheduler-options.md', () => {
  const guide = readFileSync(GUIDE, 'utf8');

  it.each(['scheduler', 'filter_scheduler'])('names every option of [%s]', (group) => {
    const unnamed = OPTION_TABLE.rows.filter((row) => row.group === group && !guide.includes(`\`${row.name}\``));
    expect(unnamed.map(({ name }) => name)).toEqual([]);
  });
});
