// The traits that a flavor asks for in its extra specs, an image in its properties.

export interface Requirement {
  readonly trait: string;
  readonly isForbidden: boolean;
  /** The suffix of the group of resources that asks; '' for all of them together. */
  readonly group: string;
}

export function requirementsOf(record: Readonly<Record<string, string>>): readonly Requirement[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const [, group, trait] = /^trait([\w-]*):(\w+)$/.exec(key) ?? [];
    if (group === undefined || trait === undefined) return [];
    return [{ trait, group, isForbidden: value === 'forbidden' }];
  });
}
