// Renders docs/metrics.md from the families and the names of Node's metrics.
import { byText } from '../values/text-order';
import type { MetricFamily } from './family';
import type { processRegistry } from './process.metrics';

/** The values of a registry. */
type MetricDocuments = Awaited<ReturnType<ReturnType<typeof processRegistry>['getMetricsAsJSON']>>;

const INTRODUCTION = `# The metrics

This page lists the metrics that \`GET /metrics\` returns. [Logs, metrics and traces](observability.md#metrics) says how to
collect them and which alerts to set. The page is generated from the code: do not edit it.

Each process answers for itself: scrape all of them. Counters start at 0 with the process.`;

/** The whole page as Markdown. */
export function renderMetricsReference(families: readonly MetricFamily[], process: MetricDocuments): string {
  const rows = [...families].sort(byText(({ name }) => name)).map(rowOf);
  const others = [...process]
    .sort(byText(({ name }) => name))
    .map(({ name, type, help }) => `| \`${name}\` | ${String(type)} | ${help.trim()} |`);
  return [
    INTRODUCTION,
    '',
    '## Berth',
    '',
    '| Name | Type | Labels | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
    '## The process',
    '',
    'The library `prom-client` reads these from Node.js and the system.',
    '',
    '| Name | Type | Meaning |',
    '|---|---|---|',
    ...others,
    '',
  ].join('\n');
}

function rowOf({ name, kind, help, labels = {} }: MetricFamily): string {
  const labelTexts = Object.entries(labels).map(([label, values]) => `\`${label}\`: ${values}`);
  return `| \`${name}\` | ${kind} | ${labelTexts.join('<br>')} | ${help} |`;
}
