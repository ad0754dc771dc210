// The order of names in lists that people read.

const names = new Intl.Collator('en', { numeric: true });

/** As people count, `cn2` before `cn10`. */
export const byName: (a: string, b: string) => number = names.compare;
