// Reads the samples of a scrape of /metrics.

type Labels = Readonly<Record<string, string>>;

interface Line {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

export const linesOf = (text: string): readonly Line[] =>
  text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const pairs = [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, key = '', own = '']) => [key, own]);
    return [{ name, labels: Object.fromEntries(pairs) as Labels, value: Number(value) }];
  });

/** The sum of the samples with this name and these labels; undefined if there is none. */
export function sumOf(text: string, name: string, labels: Labels = {}): number | undefined {
  const found = linesOf(text).filter(
    (line) => line.name === name && Object.entries(labels).every(([key, value]) => line.labels[key] === value),
  );
  return found.length === 0 ? undefined : found.reduce((sum, { value }) => sum + value, 0);
}
