// Generates docs/reference/error-codes.md from the table of errors.
import type { ErrorCode } from '../values/errors';
import { ERROR_CODES, wireCodeOf } from './error-codes';

export function renderErrorCodes(): string {
  const codes = Object.keys(ERROR_CODES) as ErrorCode[];
  const row = (code: ErrorCode, ...more: readonly string[]): string => {
    const { status, meaning } = ERROR_CODES[code];
    return `| ${[status, `\`${wireCodeOf(code)}\``, meaning, ...more].join(' | ')} |`;
  };
  return [
    '# Error codes',
    '',
    'Generated from `src/platform/http/error-codes.ts` by `npm run docs`. The code is in `errors[0].code` of every refusal of the',
    'Placement API from version 1.23 on. The last column has its name in the scheduler API.',
    '',
    '| Status | Code | Meaning | In the scheduler API |',
    '|---|---|---|---|',
    ...codes
      .filter((code) => !code.startsWith('scheduler.'))
      .map((code) => {
        const { inScheduler } = ERROR_CODES[code];
        return row(code, inScheduler === undefined ? '' : `\`${inScheduler}\``);
      }),
    '',
    '## The scheduler',
    '',
    'Every refusal of the scheduler API has a code; those that come from a decision carry it at `errors[0].decision`.',
    '',
    '| Status | Code | Meaning |',
    '|---|---|---|',
    ...codes.filter((code) => code.startsWith('scheduler.')).map((code) => row(code)),
    '',
  ].join('\n');
}
