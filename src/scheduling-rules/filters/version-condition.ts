// Conditions on a hypervisor's version in images: `>=6.0,<8`. Versions are compared part by part as numbers; missing
// parts count as 0.

type Operator = '<' | '<=' | '==' | '!=' | '>=' | '>';

interface VersionCondition {
  readonly operator: Operator;
  readonly version: readonly number[];
}

type ParsedConditions =
  | { readonly conditions: readonly VersionCondition[]; readonly problem: null }
  | { readonly conditions: null; readonly problem: string };

const CONDITION = /^\s*(<=|>=|==|!=|<|>)\s*(\d+(?:\.\d+)*)\s*$/;

/** All conditions of a text, separated by commas; an empty text has none. */
export function parseVersionConditions(text: string): ParsedConditions {
  if (text.trim() === '') return { conditions: [], problem: null };
  const conditions: VersionCondition[] = [];
  for (const part of text.split(',')) {
    const [, operator, version] = CONDITION.exec(part) ?? [];
    if (operator === undefined || version === undefined) {
      return { conditions: null, problem: `'${part.trim()}' is no condition such as '>=6.0'` };
    }
    conditions.push({ operator: operator as Operator, version: version.split('.').map(Number) });
  }
  return { conditions, problem: null };
}

/** The problem with `img_hv_requested_version`, or null. For checks when an image is read. */
export const problemOfVersionPredicate = (text: string): string | null => parseVersionConditions(text).problem;

/** True if the version meets every condition. */
export function meetsVersion(version: readonly number[], conditions: readonly VersionCondition[]): boolean {
  return conditions.every((condition) => {
    const order = compareVersions(version, condition.version);
    switch (condition.operator) {
      case '<':
        return order < 0;
      case '<=':
        return order <= 0;
      case '==':
        return order === 0;
      case '!=':
        return order !== 0;
      case '>=':
        return order >= 0;
      case '>':
        return order > 0;
    }
  });
}

function compareVersions(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const difference = (one[at] ?? 0) - (other[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** The parts of a version that a host reports as one integer: 6002000 is 6.2.0. Empty if unknown. */
export function versionParts(version: number | null): readonly number[] {
  const parts: number[] = [];
  for (let rest = version ?? 0; rest > 0; rest = Math.floor(rest / 1000)) parts.unshift(rest % 1000);
  return parts;
}
