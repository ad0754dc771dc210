// Renders docs/metrics.md from the families and from what Node's are called.
import { byText } from '../domain/text-order';
import type { MetricFamily } from './family';
import type { MetricDocuments } from './metrics';

const INTRODUCTION = `# The metrics

This page is printed from the families of \`GET /metrics\`; do not edit it. How to collect them, and what to be warned of:
[operations](operations.md#metrics).

Of several workers (\`BERTH_WORKERS\`) one answers for all: counters and histograms add up, of gauges the last column says
what becomes of them. Counters begin at 0 with the process.`;

const OUTCOME = { sum: 'added up', max: 'the largest', first: 'any of them knows' } as const;

/** The whole page as Markdown. */
export function renderMetricsReference(families: readonly MetricFamily[], process: MetricDocuments): string {
  const rows = [...families].sort(byText(({ name }) => name)).map(rowOf);
  const others = [...process]
    .sort(byText(({ name }) => name))
    .filter(({ aggregator }) => aggregator !== 'omit')
    .map(({ name, type, help }) => `| \`${name}\` | ${String(type)} | ${help.trim()} |`);
  return [
    INTRODUCTION,
    '',
    '## Berth',
    '',
    '| Name | Type | Labels | Meaning | Of several workers |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '## The process',
    '',
    'What the library `prom-client` reads of Node and of the system. Of several workers the event loop’s figures are the worst.',
    '',
    '| Name | Type | Meaning |',
    '|---|---|---|',
    ...others,
    '',
  ].join('\n');
}

function rowOf({ name, kind, help, labels = {}, overWorkers }: MetricFamily): string {
  const told = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}`);
  return `| \`${name}\` | ${kind} | ${told.join('<br>')} | ${help} | ${OUTCOME[overWorkers]} |`;
}
