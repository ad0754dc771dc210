// From the texts of a setting to its value: references are replaced, and the value is checked against the option's rule.
import type { OptionValue } from '../values/options';
import { nearestInBounds, problemOf } from '../values/options';
import { interpolate } from './interpolation';
import { valueText } from './option-values';
import type { Setting } from './setting-sources';

/**
 * The texts that count, with references replaced: all of a repeatable option, otherwise the last one. Null if there is
 * no option of a name, which is reported; the message omits the reference of a secret.
 */
export function resolvedTexts(
  { row, texts, origin, isInterpolated }: Setting,
  textOf: (group: string, name: string) => string | undefined,
  problems: string[],
): readonly string[] | null {
  const used = row.kind === 'multi' ? texts : texts.slice(-1);
  if (!isInterpolated) return used;
  const resolved: string[] = [];
  for (const text of used) {
    const result = interpolate(text, (group, name) =>
      group === null ? (textOf(row.group, name) ?? textOf('DEFAULT', name)) : textOf(group, name),
    );
    if (result.ok) resolved.push(result.text);
    else {
      const what = row.secret === true ? 'contains a $ reference' : `refers to ${result.reference}`;
      problems.push(`${origin}: [${row.group}] ${row.name} ${what}: ${result.problem}`);
    }
  }
  return resolved.length < used.length ? null : resolved;
}

/**
 * The value if it is valid. Numbers of shared sources that are out of bounds are clamped, because other services can
 * have wider bounds; any other invalid value is a problem, and the result is undefined.
 */
export function validValue(
  { row, origin, isShared }: Pick<Setting, 'row' | 'origin' | 'isShared'>,
  value: OptionValue,
  { problems, warnings }: { readonly problems: string[]; readonly warnings: string[] },
): OptionValue | undefined {
  const problem = problemOf(row, value);
  if (problem === null) return value;
  const shown = row.secret === true ? '' : ` = "${valueText(value)}"`;
  const rule = row.kind === 'boolean' ? `${problem} (also 1, yes, on; 0, no, off)` : problem;
  const message = `${origin}: [${row.group}] ${row.name}${shown}: ${rule}`;
  const nearest = isShared ? nearestInBounds(row, value) : undefined;
  if (nearest === undefined) problems.push(message);
  else warnings.push(`${message}; ${nearest} is used`);
  return nearest;
}
