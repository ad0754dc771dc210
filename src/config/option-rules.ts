// The rules of options, checked by class-validator: every group of the table becomes a class with one decorated property
// per option. Only rules of single options are here; what concerns several is configuration-laws.ts.

import { ArrayMinSize, IsArray, IsBoolean, IsIn, IsInt, IsNumber, IsOptional, IsString } from 'class-validator';
import { Matches, Max, Min, validateSync } from 'class-validator';
import type { OptionRow, OptionValue } from './option-types';

type GroupClass = new () => Record<string, OptionValue>;

/** A broken rule: "must be at least 1". */
export interface BrokenRule {
  readonly row: OptionRow;
  readonly rule: string;
}

const BOOLEAN_RULE = 'must be true or false (also 1, yes, on; 0, no, off)';

const boundsOf = (row: OptionRow): readonly PropertyDecorator[] => [
  ...(row.min === undefined ? [] : [Min(row.min, { message: `must be at least ${row.min}` })]),
  ...(row.max === undefined ? [] : [Max(row.max, { message: `must be at most ${row.max}` })]),
];

const textRules = (row: OptionRow): readonly PropertyDecorator[] => [
  ...(row.pattern === undefined
    ? []
    : [Matches(row.pattern, { message: `must be ${row.patternMeaning ?? `of the form ${row.pattern.source}`}` })]),
  IsString({ message: 'must be a text' }),
];

const listRules = (row: OptionRow): readonly PropertyDecorator[] => [
  ...(row.min === undefined
    ? []
    : [ArrayMinSize(row.min, { message: `must have at least ${row.min} ${row.min === 1 ? 'entry' : 'entries'}` })]),
  IsString({ each: true, message: 'must be texts' }),
  IsArray({ message: 'must be a list' }),
];

/** Decorators run in this order, the type's last: class-validator reports the one registered last first. */
const rulesOf = (row: OptionRow): readonly PropertyDecorator[] => {
  switch (row.type) {
    case 'boolean':
      return [IsBoolean({ message: BOOLEAN_RULE })];
    case 'integer':
      return [...boundsOf(row), IsInt({ message: 'must be an integer' })];
    case 'float':
      return [...boundsOf(row), IsNumber({}, { message: 'must be a number' })];
    case 'string':
      return textRules(row);
    case 'choice':
      return [IsIn(row.choices ?? [], { message: `must be one of ${(row.choices ?? []).join(', ')}` })];
    case 'list':
    case 'multi':
      return listRules(row);
    case 'ignored':
      return [];
  }
};

/** Rules in words, for the reference page: "at least 1, at most 100". */
export const rulesInWords = (row: OptionRow): string =>
  [
    ...(row.choices === undefined ? [] : [`one of ${row.choices.map((choice) => `\`${choice}\``).join(', ')}`]),
    ...(row.min === undefined ? [] : [`at least ${row.min}`]),
    ...(row.max === undefined ? [] : [`at most ${row.max}`]),
    ...(row.patternMeaning === undefined ? [] : [row.patternMeaning]),
  ].join(', ');

const classes = new WeakMap<readonly OptionRow[], GroupClass>();

/** One class per list of rows, made once: class-validator keeps its metadata for ever. */
const classOf = (rows: readonly OptionRow[]): GroupClass => {
  const known = classes.get(rows);
  if (known !== undefined) return known;
  const group = class {} as GroupClass;
  for (const row of rows) {
    if (row.default === null) IsOptional()(group.prototype as object, row.name);
    for (const decorate of rulesOf(row)) decorate(group.prototype as object, row.name);
  }
  classes.set(rows, group);
  return group;
};

/** Checks the values of one group; at most one broken rule per option, in the order of the rows. */
export const checkRules = (
  rows: readonly OptionRow[],
  values: Readonly<Record<string, OptionValue>>,
): readonly BrokenRule[] => {
  const checked = rows.filter((row) => row.type !== 'ignored');
  if (checked.length === 0) return [];
  const document = Object.assign(new (classOf(rows))(), values);
  const broken = new Map(
    validateSync(document, { forbidUnknownValues: false, stopAtFirstError: false }).map((error) => [
      error.property,
      Object.entries(error.constraints ?? {}),
    ]),
  );
  return checked.flatMap((row) => {
    const constraints = broken.get(row.name);
    const ofType = constraints?.find(([name]) => /^is(?!In$)/.test(name)) ?? constraints?.[0];
    return ofType === undefined ? [] : [{ row, rule: ofType[1] }];
  });
};
