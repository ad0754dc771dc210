// The grammar of CPU lists: `0-3,^2,8` is 0, 1, 3 and 8. Terms that begin with `^` exclude CPUs, at any position.

/** Largest CPU number in a list; hosts and flavors stay far below it. */
export const CPU_NUMBER_MAX = 65_535;

/** The CPUs of a list in ascending order, or the problem with the list. */
export function parseCpuList(text: string): readonly number[] | string {
  const listedCpus = new Set<number>();
  const unwanted = new Set<number>();
  for (const term of text.split(',')) {
    const [, caret, first = '', last = first] = /^\s*(\^?)\s*(\d+)(?:\s*-\s*(\d+))?\s*$/.exec(term) ?? [];
    if (caret === undefined) return `names '${term.trim()}', which is no CPU and no range of CPUs`;
    const [from, to] = [Number(first), Number(last)];
    if (to < from) return `names the range '${term.trim()}', which runs backwards`;
    if (to > CPU_NUMBER_MAX) return `names '${term.trim()}', which exceeds CPU ${CPU_NUMBER_MAX}`;
    for (let cpu = from; cpu <= to; cpu += 1) (caret === '^' ? unwanted : listedCpus).add(cpu);
  }
  return [...listedCpus].filter((cpu) => !unwanted.has(cpu)).sort((one, other) => one - other);
}

/** A mask over the CPUs 0 to `count` - 1; a mask that begins with `^` lists the excluded CPUs. */
export function parseCpuMask(text: string, count: number): readonly number[] | string {
  if (count < 1) return 'has no CPUs to choose from';
  const isExclusion = text.trim().startsWith('^');
  return parseCpuList(isExclusion ? `0-${count - 1},${text}` : text);
}
