// Candidates as clients see them, since when. Answers of thousands of candidates are common, so the text is written
// here, piece by piece, and the text of a provider's summary is kept for as long as that provider does not change.
// Nothing written here needs escaping: uuids, suffixes, and names of classes and traits are plain by their patterns.
import { providersToSummarise } from '../candidate-search';
import type { Candidate, CandidateQuery, Candidates, Provider } from '../candidate-search';
import type { ApiVersion } from '../microversion/api-version';

type SummaryTexts = WeakMap<Provider, string>;

/**
 * Summaries already written, by what the version shows of them. A provider object is replaced whenever one of its facts
 * changes, and goes with the last graph that holds it; so do these.
 */
const SUMMARIES = new Map<string, SummaryTexts>();

/** The body, as JSON text. */
export function presentCandidates(
  candidates: Candidates,
  query: Pick<CandidateQuery, 'groups' | 'nestedAware'>,
  api: ApiVersion,
): string {
  const isObject = api.has('allocationsAsDict');
  const hasMappings = api.has('mappings');
  let requests = '';
  const amounts = amountsWriter();
  for (const candidate of candidates.list) {
    const separator = requests === '' ? '' : ',';
    requests +=
      separator + (isObject ? requestText(candidate, hasMappings, amounts) : oldRequestText(candidate, amounts));
  }
  const writeSummary = summaryWriter(query, api);
  let summaries = '';
  for (const provider of providersToSummarise(candidates, query.nestedAware)) {
    summaries += summaries === '' ? writeSummary(provider) : `,${writeSummary(provider)}`;
  }
  return `{"allocation_requests":[${requests}],"provider_summaries":{${summaries}}}`;
}

function requestText({ allocations, mappings }: Candidate, hasMappings: boolean, amounts: WriteAmounts): string {
  let text = '';
  for (const { provider, resources } of allocations) {
    text += `${text === '' ? '' : ','}"${provider.uuid}":{"resources":{${amounts(resources)}}}`;
  }
  if (!hasMappings) return `{"allocations":{${text}}}`;
  let mapped = '';
  for (const [suffix, uuids] of mappings) mapped += `${mapped === '' ? '' : ','}"${suffix}":["${uuids.join('","')}"]`;
  return `{"allocations":{${text}},"mappings":{${mapped}}}`;
}

function oldRequestText({ allocations }: Candidate, amounts: WriteAmounts): string {
  const items = allocations.map(
    ({ provider, resources }) =>
      `{"resource_provider":{"uuid":"${provider.uuid}"},"resources":{${amounts(resources)}}}`,
  );
  return `{"allocations":[${items.join(',')}]}`;
}

type WriteAmounts = (resources: ReadonlyMap<string, number>) => string;

/** Candidates of one search share the very same amounts: their text is written once. */
function amountsWriter(): WriteAmounts {
  const known = new Map<ReadonlyMap<string, number>, string>();
  return (resources) => {
    let text = known.get(resources);
    if (text === undefined) known.set(resources, (text = amountsText(resources)));
    return text;
  };
}

function amountsText(resources: ReadonlyMap<string, number>): string {
  let text = '';
  for (const [resourceClass, amount] of resources) text += `${text === '' ? '' : ','}"${resourceClass}":${amount}`;
  return text;
}

function summaryWriter(query: Pick<CandidateQuery, 'groups'>, api: ApiVersion): (provider: Provider) => string {
  const hasTraits = api.has('candidatesTraits');
  const hasTree = api.has('nestedCandidates');
  if (!api.has('summariesAllResources')) {
    const shown = new Set(query.groups.flatMap((group) => [...group.resources.keys()]));
    return (provider) => summaryText(provider, shown, hasTraits, hasTree);
  }
  const kind = `${hasTraits}/${hasTree}`;
  const known = SUMMARIES.get(kind) ?? new WeakMap<Provider, string>();
  SUMMARIES.set(kind, known);
  return (provider) => {
    const kept = known.get(provider);
    if (kept !== undefined) return kept;
    const text = summaryText(provider, undefined, hasTraits, hasTree);
    known.set(provider, text);
    return text;
  };
}

function summaryText(
  provider: Provider,
  shown: ReadonlySet<string> | undefined,
  hasTraits: boolean,
  hasTree: boolean,
): string {
  let resources = '';
  for (const { resourceClass, capacity, used } of provider.inventories) {
    if (shown?.has(resourceClass) === false) continue;
    resources += `${resources === '' ? '' : ','}"${resourceClass}":{"capacity":${capacity},"used":${used}}`;
  }
  const traits = hasTraits ? `,"traits":${JSON.stringify([...provider.traits])}` : '';
  const parent = provider.parentUuid === null ? 'null' : `"${provider.parentUuid}"`;
  const tree = hasTree ? `,"parent_provider_uuid":${parent},"root_provider_uuid":"${provider.rootUuid}"` : '';
  // The concatenation is flattened once, here, rather than in every answer that holds it.
  return Buffer.from(`"${provider.uuid}":{"resources":{${resources}}${traits}${tree}}`).toString('latin1');
}
