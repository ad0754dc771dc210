// Presents candidates, with the fields of each version. Answers with thousands of candidates are common, so the JSON is
// written as text, piece by piece: candidates of one shape differ only in their uuids, and a tree keeps the text of its
// summaries until it changes. No value needs escaping: the patterns of uuids, suffixes, classes and traits exclude
// special characters.
import type { Caller } from '../../platform/event-loop/caller';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { LongBody } from '../../platform/http/body-bytes';
import type { ApiVersion } from '../../platform/microversion/api-version';
import { UUID_LENGTH } from '../../platform/values/uuid';
import type {
  CandidateQuery,
  Candidates,
  CandidateShape,
  FoundCandidate,
  Inventory,
  Provider,
  Tree,
} from '../candidate-search';
import { providersOf, treesOf } from '../candidate-search';

/** The parts of a query that affect the presentation. */
type ShownQuery = Pick<CandidateQuery, 'groups' | 'nestedAware'>;

/** State of the search that the presenter reuses: its templates and its caller. */
interface Searched {
  readonly templates?: CandidateTemplates;
  readonly caller?: Caller;
}

/** The body as JSON. Writes the missing texts of trees in a task that yields. */
export async function presentCandidates(
  candidates: Candidates,
  query: ShownQuery,
  api: ApiVersion,
  { templates = new CandidateTemplates(api), caller }: Searched = {},
): Promise<CandidatesBody> {
  const summaries: string[] = [];
  if (query.nestedAware) {
    await tasks.forEach(treesOf(candidates), (tree) => summaries.push(textOfTree(tree)), caller);
  } else {
    const add = (provider: Provider): void => void summaries.push(oldSummaryText(provider, query, api));
    await tasks.forEach(providersOf(candidates), add, caller);
  }
  return new CandidatesBody(candidates.list, summaries, templates);
}

class CandidatesBody implements LongBody {
  readonly bytes: number;

  constructor(
    private readonly list: readonly FoundCandidate[],
    private readonly summaries: readonly string[],
    private readonly templates: CandidateTemplates,
  ) {
    let bytes = OPENING.length + MIDDLE.length + END.length;
    for (const { shape } of list) bytes += templates.bytesOf(shape);
    for (const text of summaries) bytes += text.length;
    // The separator after the last entry of a list is not sent.
    for (const { length } of [list, summaries]) if (length > 0) bytes -= SEPARATOR.length;
    this.bytes = bytes;
  }

  *pieces(): Iterable<string> {
    const { list, summaries, templates } = this;
    yield OPENING;
    for (let at = 0; at < list.length;) {
      let text = '';
      for (; at < list.length && text.length < PIECE_CHARACTERS; at += 1) {
        text += templates.textOf(list[at] as FoundCandidate);
      }
      yield at < list.length ? text : text.slice(0, -SEPARATOR.length);
    }
    yield MIDDLE;
    for (let at = 0; at < summaries.length; at += 1) {
      const text = summaries[at] ?? '';
      yield at < summaries.length - 1 ? text : text.slice(0, -SEPARATOR.length);
    }
    yield END;
  }
}

/** Candidates are joined to pieces of about this size. */
const PIECE_CHARACTERS = 8_192;
const OPENING = '{"allocation_requests":[';
const MIDDLE = '],"provider_summaries":{';
const END = '}}';

/** After every entry of a list, and removed after the last one: most cached texts are then written unchanged. */
const SEPARATOR = ',';
/** Maximum of cached templates per answer. */
const TEMPLATES_MAX = 5_000;

/** The text of a candidate: a literal, a uuid, a literal, a uuid, …, a literal. */
interface Template {
  readonly literals: readonly string[];
  /** The place whose uuid follows each literal except the last. */
  readonly places: readonly number[];
  readonly bytes: number;
}

/** The templates of one answer. */
export class CandidateTemplates {
  private readonly known = new Map<CandidateShape, Template>();
  private lastShape: CandidateShape | undefined;
  private lastTemplate: Template = { literals: [], places: [], bytes: 0 };

  constructor(private readonly api: ApiVersion) {}

  /** The size of a candidate of this shape, in bytes. */
  readonly bytesOf = (shape: CandidateShape): number =>
    (shape === this.lastShape ? this.lastTemplate : this.learn(shape)).bytes;

  textOf({ shape, providers }: FoundCandidate): string {
    const { literals, places } = shape === this.lastShape ? this.lastTemplate : this.learn(shape);
    let text = literals[0] ?? '';
    for (let at = 0; at < places.length; at += 1) {
      text += (providers[places[at] ?? 0]?.uuid ?? '') + (literals[at + 1] ?? '');
    }
    return text;
  }

  private learn(shape: CandidateShape): Template {
    let template = this.known.get(shape);
    if (template === undefined) {
      template = templateOf(shape, this.api);
      if (this.known.size < TEMPLATES_MAX) this.known.set(shape, template);
    }
    this.lastShape = shape;
    this.lastTemplate = template;
    return template;
  }
}

/** Placeholder for the uuid at a place: its number between two NUL characters, which JSON cannot contain. */
const uuidAt = (place: number): string => `\u0000${place}\u0000`;

function templateOf(shape: CandidateShape, api: ApiVersion): Template {
  const text = api.has('allocationsAsDict') ? textOfShape(shape, api) : oldTextOfShape(shape);
  const parts = (text + SEPARATOR).split('\u0000');
  const literals = parts.filter((_, at) => at % 2 === 0);
  const places = parts.filter((_, at) => at % 2 === 1).map(Number);
  const bytes = literals.reduce((sum, literal) => sum + literal.length, places.length * UUID_LENGTH);
  return { literals, places, bytes };
}

function textOfShape({ resources, mappings }: CandidateShape, api: ApiVersion): string {
  const allocations = resources.flatMap((amounts, place) =>
    amounts === null ? [] : `"${uuidAt(place)}":{"resources":${amountsText(amounts)}}`,
  );
  if (!api.has('mappings')) return `{"allocations":{${allocations.join()}}}`;
  const mapped = mappings.map(
    ({ suffix, places }) => `"${suffix}":[${places.map((place) => `"${uuidAt(place)}"`).join()}]`,
  );
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

/** Summaries of a whole tree are the same for every query, so the tree caches one text. */
function textOfTree(tree: Tree): string {
  if (tree.text !== null) return tree.text;
  const texts = tree.providers.map((provider) => {
    const parent = provider.parentUuid === null ? 'null' : `"${provider.parentUuid}"`;
    const place = `,"parent_provider_uuid":${parent},"root_provider_uuid":"${provider.rootUuid}"`;
    return summaryText(provider, provider.inventories, traitsText(provider) + place);
  });
  // Flattens the concatenated string once instead of in every answer that contains it.
  return (tree.text = Buffer.from(texts.join('')).toString('latin1'));
}

function oldSummaryText(provider: Provider, { groups }: ShownQuery, api: ApiVersion): string {
  const isShown = ({ resourceClass }: Inventory): boolean =>
    api.has('summariesAllResources') || groups.some((group) => group.resources.has(resourceClass));
  return summaryText(
    provider,
    provider.inventories.filter(isShown),
    api.has('candidatesTraits') ? traitsText(provider) : '',
  );
}

function summaryText({ uuid }: Provider, inventories: readonly Inventory[], rest: string): string {
  const resources = inventories.map(
    ({ resourceClass, capacity, used }) => `"${resourceClass}":{"capacity":${capacity},"used":${used}}`,
  );
  return `"${uuid}":{"resources":{${resources.join()}}${rest}}${SEPARATOR}`;
}

function traitsText({ traits }: Provider): string {
  return `,"traits":${JSON.stringify([...traits])}`;
}
