import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderApiHistory } from './api-history-page.fixture';

const PAGE = join(__dirname, '../../docs/reference/api-history.md');

it('the page is what the table says; `npm run docs` rewrites it', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, renderApiHistory());
  expect(readFileSync(PAGE, 'utf8')).toBe(renderApiHistory());
});
