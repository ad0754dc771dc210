// Numbers of one process or of several as Prometheus reads them. A process that met every route with every status has tens
// of thousands of lines, most of them in one family: what is written is a walk, within families too.
import { prometheusContentType } from 'prom-client';
import { METRICS_LIMITS } from '../config/limits';
import { addTo } from '../domain/lists-by-key';
import type { Walk } from '../domain/walk';
import { BodyWriter, reuseBlock } from '../http/body-bytes';
import type { MetricDocument, OverWorkers } from './family';

export const METRICS_TYPE = prometheusContentType;

/** One text for all processes, each of which handed in its documents. */
export function* metricsText(ofProcesses: readonly (readonly MetricDocument[])[]): Walk<Buffer> {
  const byName = new Map<string, MetricDocument[]>();
  for (const document of ofProcesses.flat()) {
    addTo(byName, document.name, document);
  }
  const out = new BodyWriter(false);
  let separator = '';
  for (const [name, same] of byName) {
    const { help = '', type } = same[0] ?? {};
    out.add(`${separator}# HELP ${name} ${escaped(help)}\n# TYPE ${name} ${type}\n`);
    separator = '\n';
    yield* writeLines(yield* together(same), out);
    yield;
  }
  const blocks = [...out.takeBlocks(), out.end()];
  const text = Buffer.concat(blocks);
  for (const block of blocks) reuseBlock(block);
  return text;
}

const OF_TWO: Readonly<Record<OverWorkers, (known: number, next: number) => number>> = {
  sum: (known, next) => known + next,
  max: (known, next) => Math.max(known, next),
  first: (known) => known,
};

/** The values of a family in all processes, each series once, in the order in which they come. */
function* together(documents: readonly MetricDocument[]): Walk<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  let count = 0;
  for (const { series, values, overWorkers } of documents) {
    for (const [at, each] of series.entries()) {
      const value = values[at] ?? NaN;
      const known = found.get(each);
      found.set(each, known === undefined ? value : OF_TWO[overWorkers](known, value));
      if (isStep((count += 1))) yield;
    }
  }
  return found;
}

function* writeLines(values: ReadonlyMap<string, number>, out: BodyWriter): Walk<void> {
  let count = 0;
  for (const [series, value] of values) {
    out.add(`${series} ${numberText(value)}\n`);
    if (isStep((count += 1))) yield;
  }
}

const isStep = (count: number): boolean => count % METRICS_LIMITS.samplesPerStep === 0;

const numberText = (value: number): string =>
  Number.isFinite(value) ? `${value}` : Number.isNaN(value) ? 'Nan' : value < 0 ? '-Inf' : '+Inf';

const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
