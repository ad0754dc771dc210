// Generates the reference pages of filters, weighers and prefilters from their definitions. A test compares them with
// docs/reference.

import type { OptionDeclarations } from '../platform/values/options';
import { DEFAULT_ENABLED_FILTERS } from './filters';
import { DEFAULT_OPTION_GROUP } from './pipeline/options';
import type { PartRegistry } from './pipeline/registry';
import type { Templates } from './pipeline/verdict';

/** Said once: types, defaults and meanings are on the page of all options. */
const OPTIONS = 'Types, defaults and meanings are in [options](options.md).';

/** docs/reference/filters.md */
export function renderFiltersPage({ filters }: PartRegistry): string {
  const sections = [...filters.values()].map(({ part }) => [
    `## ${part.name}`,
    part.summary,
    [
      `- runs: ${part.once ? 'once per request' : 'for every instance'}${part.rebuild ? ', and on rebuild checks' : ''}`,
      `- enabled by default: ${DEFAULT_ENABLED_FILTERS.includes(part.name) ? 'yes' : 'no'}`,
      ...readsLine(part.reads),
      ...(part.warning === null ? [] : [`- warns at start: it ${part.warning}`]),
      ...optionsLine(part.options),
    ].join('\n'),
    templatesTable('rejection', part.rejections),
    templatesTable('note on a pass', part.notes),
  ]);
  return page('Filters', sections, [
    'A filter rejects hosts. `[filter_scheduler] enabled_filters` names the filters that run, in order.',
    'A filter that fails on a host rejects that host with `filter_error` and the cause. A rejection carries the values',
    `that its sentence names; they are enough to decide it again. ${OPTIONS}`,
  ]);
}

/** docs/reference/weighers.md */
export function renderWeighersPage({ weighers }: PartRegistry): string {
  const ends = (min: number | null, max: number | null): string =>
    `from ${min ?? 'the smallest raw value'} to ${max ?? 'the largest raw value'}`;
  const sections = [...weighers.values()].map(({ part }) => [
    `## ${part.name}`,
    part.summary,
    [`- scale: ${ends(part.fixedMin, part.fixedMax)}`, ...readsLine(part.reads), ...optionsLine(part.options)].join(
      '\n',
    ),
  ]);
  return page('Weighers', sections, [
    'A weigher gives each host a raw value. It is scaled to 0…1, multiplied and added up; the highest sum is tried first.',
    'Weights that differ by less than one part in a thousand million are equal; equal hosts are ordered by name.',
    OPTIONS,
  ]);
}

/** docs/reference/prefilters.md */
export function renderPrefiltersPage({ prefilters }: PartRegistry): string {
  const sections = [...prefilters.values()].map(({ part }) => [
    `## ${part.name}`,
    part.summary,
    optionsLine(part.options).join('\n'),
    templatesTable('refusal', part.refusals),
  ]);
  return page('Prefilters', sections, [
    'A prefilter looks at the request and adds conditions to the placement query. All of them run, in this order, own',
    `ones last. ${OPTIONS}`,
  ]);
}

function page(title: string, sections: readonly (readonly string[])[], introduction: readonly string[]): string {
  const note = '<!-- Printed from the registry of the scheduler; edit the objects, not this page. -->';
  const blocks = [`# ${title}`, note, introduction.join('\n'), ...sections.flat()];
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`;
}

/** The request fields that a part reads; beyond a limit they are counted. */
function readsLine(reads: readonly string[]): readonly string[] {
  if (reads.length === 0) return [];
  const shown = reads.slice(0, READS_SHOWN).map(code);
  const more = reads.length - shown.length;
  return [`- reads: ${[...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ')}`];
}

const READS_SHOWN = 8;

/** The options that a part reads, each with the metadata key of host aggregates that overrides it. */
function optionsLine(options: OptionDeclarations): readonly string[] {
  const shown = Object.entries(options).map(([name, declaration]) => {
    const key = 'aggregateKey' in declaration ? declaration.aggregateKey : undefined;
    const overridden = key === undefined ? '' : ` (host aggregates: ${code(key)})`;
    return `${code(`[${declaration.group ?? DEFAULT_OPTION_GROUP}] ${name}`)}${overridden}`;
  });
  return shown.length === 0 ? [] : [`- options: ${shown.join(', ')}`];
}

function templatesTable(kind: string, templates: Templates): string {
  const rows = Object.entries(templates).map(([name, template]) => `| ${code(name)} | ${template} |`);
  return rows.length === 0 ? '' : [`| ${kind} | sentence |`, '| --- | --- |', ...rows].join('\n');
}

const code = (text: string): string => `\`${text}\``;
