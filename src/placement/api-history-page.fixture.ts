// Prints docs/reference/api-history.md from the table of versions.
import { MICROVERSIONS } from './microversions';

export function renderApiHistory(): string {
  const rows = MICROVERSIONS.rows.map(
    ({ version, features, summary }) =>
      `| ${version} | ${summary} | ${features.map((name) => `\`${name}\``).join(', ')} |`,
  );
  return [
    '# API history',
    '',
    'Generated from `src/placement/microversions.ts` by `npm run docs`.',
    '',
    'A request names its version in the header `OpenStack-API-Version: placement X.Y`; without it the oldest is spoken.',
    '',
    '| Version | What it brought | Feature in the code |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
