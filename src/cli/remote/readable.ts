// Amounts and times for people, in the units of the console. Documents have the numbers themselves.

const UNITS = ['MiB', 'GiB', 'TiB', 'PiB'] as const;
const STEP = 1_024;

/** An amount of a resource class: `64 GiB` of MEMORY_MB or DISK_GB, otherwise the number. */
export function amountText(resourceClass: string, amount: number): string {
  const start = /_MB$/.test(resourceClass) ? 0 : /_GB$/.test(resourceClass) ? 1 : undefined;
  if (start === undefined) return String(amount);
  let unit = start;
  let rest = amount;
  for (; Math.abs(rest) >= STEP && unit < UNITS.length - 1; unit += 1) rest /= STEP;
  return `${Math.round(rest * 10) / 10} ${UNITS[unit] ?? ''}`;
}

const NOUNS: Readonly<Record<string, string>> = { MEMORY_MB: 'memory', DISK_GB: 'disk' };

/** `2 VCPU, 4 GiB memory`. */
export const amountsText = (amounts: Readonly<Record<string, number>>): string =>
  Object.entries(amounts)
    .map(([name, amount]) => `${amountText(name, amount)} ${NOUNS[name] ?? name}`)
    .join(', ');

const AGES = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** `18 min ago`; empty for null. */
export function ageText(at: string | null | undefined, now = Date.now()): string {
  if (at === null || at === undefined) return '';
  const seconds = Math.max(0, (now - Date.parse(at)) / 1_000);
  const [unit, length] = AGES.find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Math.floor(seconds / length)} ${unit} ago`;
}

/** An amount of memory or disk in a sentence, with the figures that follow: `8 MEMORY_MB (512 free, 520 asked)`. */
const AMOUNTS =
  /\b(\d+) (MEMORY_MB|DISK_GB)\b((?: on [\w.-]+)?(?: free)?(?: \((?=largest|most|capacity|m(?:in|ax)_unit|step_size|-?\d)(?:[^()]|\([^()]*\))*\)| instead of \d+)?)/g;
const FIGURE = /(?<![\w.-]|ratio )-?\d+\b(?!\.\d)/g;

/** A sentence of the service, which has the units of resource classes: `8 MiB memory (512 MiB free, 520 MiB asked)`. */
export const readable = (sentence: string): string =>
  sentence.replace(AMOUNTS, (_, amount: string, name: string, figures: string) => {
    const shown = figures.replace(FIGURE, (figure) => amountText(name, Number(figure)));
    return `${amountText(name, Number(amount))} ${NOUNS[name]}${shown}`;
  });
