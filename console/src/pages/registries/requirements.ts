// The traits that a flavor asks for in its extra specs, an image in its properties.

interface Requirement {
  readonly trait: string;
  readonly isForbidden: boolean;
  /** The suffix of the group of resources that asks; '' for all of them together. */
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
