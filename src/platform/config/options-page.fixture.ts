// Generates the reference page of all options from the table. A test compares it with docs/reference.

import type { OptionDeclaration, OptionRow } from '../values/options';
import { valueText } from './option-values';
import { ENVIRONMENT_VARIABLES } from './server-settings';

const INTRODUCTION = `# Options

This page is printed from the table of options and from the parts of the scheduler; do not edit it.

Berth reads files in the INI form of OpenStack's services, named by \`--config\`, \`--config-dir\` or \`BERTH_CONFIG\`
(default: \`berth.conf\` in the working directory, if there is one); a later file overrides an earlier one. The environment
overrides the files: \`BERTH_<GROUP>__<OPTION>\`, for example \`BERTH_FILTER_SCHEDULER__HOST_SUBSET_SIZE=3\`. An unknown group
or option, or a number out of bounds, is an error in a file called \`berth*.conf\` and a warning in any other file
([which files are shared](../configure.md#own-and-shared-files)). \`berth config show\` prints what is in force,
\`berth config check\` what is wrong.

In the file an indented line continues the value above, \`#\` and \`;\` start a comment line, \`$name\`, \`\${name}\` and
\`\${group.name}\` stand for the value of another option, and \`$$\` is a dollar sign. Lists are separated by commas.
Repeatable options can be given several times; in the environment they are a JSON array, or separated by commas.
`;

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('\n', ' ');

const TYPE_WORDS: Readonly<Record<OptionRow['kind'], string>> = {
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  text: 'text',
  choice: 'choice',
  list: 'list',
  multi: 'repeatable',
};

const shownDefault = (row: OptionRow): string => {
  const text = valueText(row.default);
  if (row.default === null) return 'unset';
  return text === '' ? 'empty' : `\`${text.replaceAll(',', ', ')}\``;
};

const rulesInWords = (row: OptionRow): string =>
  [
    ...(row.choices === undefined ? [] : [`one of ${row.choices.map((each) => `\`${each}\``).join(', ')}`]),
    ...(row.min === undefined ? [] : [`at least ${row.min}`]),
    ...(row.max === undefined ? [] : [`at most ${row.max}`]),
    ...(row.patternMeaning === undefined ? [] : [row.patternMeaning]),
  ].join(', ');

const remarks = (row: OptionRow): readonly string[] => [
  ...(row.readBy.every((name) => row.help?.includes(name))
    ? []
    : [`Read by ${row.readBy.map((name) => `\`${name}\``).join(', ')}.`]),
  ...(row.secret === true ? ['Never shown.'] : []),
  ...Object.entries(row.synonyms ?? {}).map(([from, to]) => `\`${from}\` means \`${to}\`.`),
  ...(row.formerly === undefined ? [] : [`Formerly ${row.formerly.map((name) => `\`${name}\``).join(', ')}.`]),
];

const optionLine = (row: OptionRow): string => {
  const rules = rulesInWords(row);
  const type = rules === '' ? TYPE_WORDS[row.kind] : `${TYPE_WORDS[row.kind]}: ${rules}`;
  const cells = [`\`${row.name}\``, type, shownDefault(row), [row.help ?? '', ...remarks(row)].join(' ')];
  return `| ${cells.map(escapeCell).join(' | ')} |`;
};

const groupSection = (group: string, rows: readonly OptionRow[]): string =>
  [`## [${group}]`, '', '| Option | Type | Default | Meaning |', '|---|---|---|---|', ...rows.map(optionLine)].join(
    '\n',
  );

const environmentSection = (): string =>
  [
    '## Environment',
    '',
    '| Variable | Meaning |',
    '|---|---|',
    ...Object.entries(ENVIRONMENT_VARIABLES).map(([name, variable]) => `| \`${name}\` | ${meaningOf(variable)} |`),
  ].join('\n');

function meaningOf({ help = '', choices, default: value = null }: Partial<OptionDeclaration>): string {
  const oneOf = choices === undefined ? [] : [`One of ${choices.join(', ')}.`];
  const fallback = value === null || value === false ? [] : [`Default: \`${String(value)}\`.`];
  return escapeCell([help, ...oneOf, ...fallback].join(' '));
}

/** The whole page as Markdown; `rows` can include plug-ins. */
export const renderOptionsReference = (rows: readonly OptionRow[]): string => {
  const groups = [...new Set(rows.map((row) => row.group))];
  const sections = groups.map((group) =>
    groupSection(
      group,
      rows.filter((row) => row.group === group),
    ),
  );
  return `${[INTRODUCTION.trimEnd(), environmentSection(), ...sections].join('\n\n')}\n`;
};
