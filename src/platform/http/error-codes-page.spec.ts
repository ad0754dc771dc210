import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderErrorCodes } from './error-codes-page.fixture';

const PAGE = join(__dirname, '../../../docs/reference/error-codes.md');

it('the page is what the table says; `npm run docs` rewrites it', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, renderErrorCodes());
  expect(readFileSync(PAGE, 'utf8')).toBe(renderErrorCodes());
});
