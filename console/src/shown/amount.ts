// Formats numbers with the unit of their resource class.
import { byName } from './by-name';

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** A count, for example 12,000. */
export const countText = (count: number): string => whole.format(count);

/** For example `3 hosts`, `1 host`. */
export const countOf = (count: number, one: string, many = `${one}s`): string =>
  `${countText(count)} ${count === 1 ? one : many}`;

/** For example `cn1, cn2 and 7 more`. */
export const cutList = (names: readonly string[], most: number): string =>
  names.length <= most
    ? names.join(', ')
    : `${names.slice(0, most).join(', ')} and ${countText(names.length - most)} more`;

/** A share from 0 to 1 as a percentage, for example 37 %. Only 0 is shown as 0 %, and only 1 as 100 %. */
export function shareText(share: number): string {
  const percent = share * 100;
  if (percent > 0 && percent < 1) return '< 1 %';
  if (percent > 99 && percent < 100) return '> 99 %';
  return `${whole.format(percent)} %`;
}

const STEPS = ['MiB', 'GiB', 'TiB', 'PiB'] as const;

/** An amount of a resource class: memory and disk in a readable unit, others as a count. */
export function amountText(resourceClass: string, amount: number): string {
  if (resourceClass.endsWith('_MB')) return binaryText(amount, 0);
  if (resourceClass.endsWith('_GB')) return binaryText(amount, 1);
  return whole.format(amount);
}

function binaryText(amount: number, start: number): string {
  let step = start;
  let rest = amount;
  while (Math.abs(rest) >= 1024 && step < STEPS.length - 1) {
    rest /= 1024;
    step += 1;
  }
  return `${short.format(rest)} ${STEPS[step] ?? ''}`;
}

/** Short names for narrow places. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  VCPU: 'vCPU',
  PCPU: 'pCPU',
  MEMORY_MB: 'Memory',
  DISK_GB: 'Disk',
};

export const classText = (resourceClass: string): string => SHORT_NAMES[resourceClass] ?? resourceClass;

/** The class within a sentence, for example `24 vCPU` or `16 GiB memory`. */
export const classNoun = (resourceClass: string): string =>
  resourceClass === 'MEMORY_MB' ? 'memory' : resourceClass === 'DISK_GB' ? 'disk' : classText(resourceClass);

/** CPUs, memory, disk, then by name. */
export function sortedClasses(resourceClasses: Iterable<string>): string[] {
  const first = ['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB'];
  const rank = (name: string): number => (first.includes(name) ? first.indexOf(name) : first.length);
  return [...resourceClasses].sort((a, b) => rank(a) - rank(b) || byName(a, b));
}
