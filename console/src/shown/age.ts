// Durations in their largest unit, for example 18 min.

const STEPS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

export function ageText(seconds: number): string {
  const [unit, length] = STEPS.find(([, each]) => seconds >= each) ?? ['s', 1];
  return `${Math.floor(Math.max(0, seconds) / length)} ${unit}`;
}
