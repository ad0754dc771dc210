// The traits that extra specs of a flavor or properties of an image require or forbid.

interface Requirement {
  readonly trait: string;
  readonly isForbidden: boolean;
  /** The suffix of the request group; '' for the unnumbered group. */
  readonly group: string;
}

const KEY = /^trait([\w-]*):(\w+)$/;

export const isRequirement = (key: string): boolean => KEY.test(key);

export function requirementsOf(record: Readonly<Record<string, string>>): readonly Requirement[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const [, group, trait] = KEY.exec(key) ?? [];
    if (group === undefined || trait === undefined) return [];
    return [{ trait, group, isForbidden: value === 'forbidden' }];
  });
}
