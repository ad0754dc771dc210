// Candidates as clients see them, since when. Answers of thousands of candidates are common, so the text is written
// here, piece by piece: of a candidate only the uuids differ from others of its shape, and the text of a tree's
// summaries is kept for as long as nothing in that tree changes.
// Nothing written here needs escaping: uuids, suffixes, and names of classes and traits are plain by their patterns.
import { providersOf, treesOf } from '../candidate-search';
import type {
  Candidate,
  CandidateQuery,
  Candidates,
  CandidateShape,
  Inventory,
  Provider,
  Tree,
} from '../candidate-search';
import { BodyWriter } from '../http/body-bytes';
import type { BodyBytes } from '../http/body-bytes';
import type { ApiVersion } from '../microversion/api-version';

/** The body, as JSON. */
export function presentCandidates(
  candidates: Candidates,
  query: Pick<CandidateQuery, 'groups' | 'nestedAware'>,
  api: ApiVersion,
): BodyBytes {
  const body = new BodyWriter();
  const templates = new CandidateTemplates(api);
  body.add('{"allocation_requests":[');
  for (const candidate of candidates.list) body.add(templates.textOf(candidate));
  if (candidates.list.length > 0) body.takeBack(SEPARATOR.length);
  body.add('],"provider_summaries":{');
  if (query.nestedAware) for (const tree of treesOf(candidates)) body.add((tree.text ??= textOfTree(tree)));
  else for (const provider of providersOf(candidates)) body.add(oldSummaryText(provider, query, api));
  if (candidates.list.length > 0) body.takeBack(SEPARATOR.length);
  body.add('}}');
  return body.done();
}

/** Behind every entry of a list, and taken back behind the last: most pieces are then written as they are kept. */
const SEPARATOR = ',';
/** Templates kept of one answer. */
const TEMPLATES_MAX = 5_000;

/** The text of a candidate: a literal, a uuid, a literal, a uuid, …, a literal. */
interface Template {
  readonly literals: readonly string[];
  /** Whose uuid follows each literal but the last. */
  readonly places: readonly number[];
}

/** The templates of one answer. */
class CandidateTemplates {
  private readonly known = new Map<CandidateShape, Template>();
  private lastShape: CandidateShape | undefined;
  private lastTemplate: Template = { literals: [], places: [] };

  constructor(private readonly api: ApiVersion) {}

  textOf({ shape, providers }: Candidate): string {
    const { literals, places } = shape === this.lastShape ? this.lastTemplate : this.templateOf(shape);
    let text = literals[0] ?? '';
    for (let at = 0; at < places.length; at += 1) {
      text += (providers[places[at] ?? 0]?.uuid ?? '') + (literals[at + 1] ?? '');
    }
    return text;
  }

  private templateOf(shape: CandidateShape): Template {
    let template = this.known.get(shape);
    if (template === undefined) {
      const text = this.api.has('allocationsAsDict') ? textOfShape(shape, this.api) : oldTextOfShape(shape);
      template = toTemplate(text + SEPARATOR);
      if (this.known.size < TEMPLATES_MAX) this.known.set(shape, template);
    }
    this.lastShape = shape;
    this.lastTemplate = template;
    return template;
  }
}

/** In these texts a place stands for the uuid of its provider, between two characters that JSON has none of. */
const uuidAt = (place: number): string => `\u0000${place}\u0000`;

function toTemplate(text: string): Template {
  const parts = text.split('\u0000');
  return {
    literals: parts.filter((_, at) => at % 2 === 0),
    places: parts.filter((_, at) => at % 2 === 1).map(Number),
  };
}

function textOfShape({ resources, mappings }: CandidateShape, api: ApiVersion): string {
  const allocations = resources.flatMap((amounts, place) =>
    amounts === null ? [] : `"${uuidAt(place)}":{"resources":${amountsText(amounts)}}`,
  );
  if (!api.has('mappings')) return `{"allocations":{${allocations.join()}}}`;
  const mapped = mappings.map(({ suffix, places }) => {
    return `"${suffix}":[${places.map((place) => `"${uuidAt(place)}"`).join()}]`;
  });
  return `{"allocations":{${allocations.join()}},"mappings":{${mapped.join()}}}`;
}

function oldTextOfShape({ resources }: CandidateShape): string {
  const allocations = resources.flatMap((amounts, place) =>
    amounts === null ? [] : `{"resource_provider":{"uuid":"${uuidAt(place)}"},"resources":${amountsText(amounts)}}`,
  );
  return `{"allocations":[${allocations.join()}]}`;
}

function amountsText(resources: ReadonlyMap<string, number>): string {
  return `{${[...resources].map(([resourceClass, amount]) => `"${resourceClass}":${amount}`).join()}}`;
}

/** Since 1.29 summaries are of whole trees and show everything, so there is one text of each. */
function textOfTree({ providers }: Tree): string {
  const text = providers.map((provider) => {
    const parent = provider.parentUuid === null ? 'null' : `"${provider.parentUuid}"`;
    const tree = `,"parent_provider_uuid":${parent},"root_provider_uuid":"${provider.rootUuid}"`;
    return summaryText(provider, provider.inventories, traitsText(provider) + tree);
  });
  // The concatenation is flattened once, here, rather than in every answer that holds it.
  return Buffer.from(text.join('')).toString('latin1');
}

function oldSummaryText(provider: Provider, { groups }: Pick<CandidateQuery, 'groups'>, api: ApiVersion): string {
  const isShown = ({ resourceClass }: Inventory): boolean =>
    api.has('summariesAllResources') || groups.some((group) => group.resources.has(resourceClass));
  return summaryText(
    provider,
    provider.inventories.filter(isShown),
    api.has('candidatesTraits') ? traitsText(provider) : '',
  );
}

function summaryText({ uuid }: Provider, inventories: readonly Inventory[], rest: string): string {
  const resources = inventories.map(({ resourceClass, capacity, used }) => {
    return `"${resourceClass}":{"capacity":${capacity},"used":${used}}`;
  });
  return `"${uuid}":{"resources":{${resources.join()}}${rest}}${SEPARATOR}`;
}

function traitsText({ traits }: Provider): string {
  return `,"traits":${JSON.stringify([...traits])}`;
}
