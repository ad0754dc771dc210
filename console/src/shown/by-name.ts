// Collation of names in lists.

const names = new Intl.Collator('en', { numeric: true });

/** Natural order, `cn2` before `cn10`. */
export const byName: (a: string, b: string) => number = names.compare;
