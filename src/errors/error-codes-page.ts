// Prints docs/reference/error-codes.md from the table of errors.
import { ERROR_TABLE } from './error-codes';

export function renderErrorCodes(): string {
  const rows = ERROR_TABLE.map(
    ({ error, status, code, meaning }) => `| ${status} | \`${code}\` | ${meaning} | ${error.name} |`,
  );
  return [
    '# Error codes',
    '',
    'Generated from `src/errors/error-codes.ts` by `npm run docs`. The code is in `errors[0].code` of every refusal of the',
    'Placement API from version 1.23 on.',
    '',
    '| Status | Code | Meaning | Thrown as |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
