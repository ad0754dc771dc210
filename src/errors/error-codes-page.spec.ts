import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as domainErrors from './domain-errors';
import { ERROR_TABLE, errorRowOf } from './error-codes';
import { renderErrorCodes } from './error-codes-page';

const PAGE = join(__dirname, '../../docs/reference/error-codes.md');

it('the page is what the table says; `npm run docs` rewrites it', () => {
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, renderErrorCodes());
  expect(readFileSync(PAGE, 'utf8')).toBe(renderErrorCodes());
});

it('every domain error has a row, and no row hides a later one', () => {
  for (const error of Object.values(domainErrors)) {
    if (error === domainErrors.DomainError) continue;
    expect(ERROR_TABLE.some((row) => error === row.error || error.prototype instanceof row.error)).toBe(true);
  }
  for (const [at, row] of ERROR_TABLE.entries()) {
    const shadows = ERROR_TABLE.slice(0, at).filter((earlier) => row.error.prototype instanceof earlier.error);
    expect(shadows.map((earlier) => earlier.error.name)).toEqual([]);
  }
});

it('an error that nobody declared has no row', () => {
  expect(errorRowOf(new Error('no'))).toBeUndefined();
});
