// Prints docs/reference/error-codes.md from the table of errors.
import { ERROR_TABLE } from './error-codes';
import { SCHEDULER_ERROR_ROWS } from './scheduler-error-codes';

export function renderErrorCodes(): string {
  const rows = ERROR_TABLE.map(
    ({ error, status, code, meaning }) => `| ${status} | \`${code}\` | ${meaning} | ${error.name} |`,
  );
  const scheduler = SCHEDULER_ERROR_ROWS.map(({ status, code, meaning }) => `| ${status} | \`${code}\` | ${meaning} |`);
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
    '## The scheduler',
    '',
    'From `src/errors/scheduler-error-codes.ts`. Every refusal of the scheduler API has a code; those that come from a',
    'decision carry it at `errors[0].decision`.',
    '',
    '| Status | Code | Meaning |',
    '|---|---|---|',
    ...scheduler,
    '',
  ].join('\n');
}
