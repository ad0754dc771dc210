import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OPTION_TABLE } from '../options';
import { renderOptionsReference } from '../platform/config/options-page.fixture';
import { FORMER_OPTIONS } from '../scheduler/former-options';

const PAGE = join(__dirname, '../../docs/reference/options.md');
const GUIDE = join(__dirname, '../../docs/move-scheduler-options.md');

describe('docs/reference/options.md', () => {
  it('is what the table of options says (UPDATE_DOCS=1 writes it)', () => {
    const rendered = renderOptionsReference(OPTION_TABLE.rows, FORMER_OPTIONS);
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

  it('names every former option that is refused', () => {
    const refused = Object.entries(FORMER_OPTIONS).filter(([, { kind }]) => kind === 'refused');
    const names = refused
      .map(([key]) => key.split('.'))
      .map(([group, name]) => (group === 'trusted_computing' ? group : name));
    const unnamed = names.filter((name) => name === undefined || !guide.includes(name));
    expect(unnamed).toEqual([]);
  });
});
