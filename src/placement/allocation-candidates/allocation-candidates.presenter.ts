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

/** The body as JSON. Writes the missing texts of trees in a task that yields. */
export async function presentCandidates(
  candidates: Candidates,
  query: ShownQuery,
  texts: CandidateTexts,
  caller?: Caller,
): Promise<CandidatesBody> {
  const summaries: string[] = [];
  if (query.nestedAware) {
    await tasks.forEach(treesOf(candidates), (tree) => summaries.push(textOfTree(tree)), caller);
  } else {
    const add = (provider: Provider): void => void summaries.push(oldSummaryText(provider, query, texts.api));
    await tasks.forEach(providersOf(candidates), add, caller);
  }
  return new CandidatesBody(candidates.list, summaries, texts);
}

class CandidatesBody implements LongBody {
  constructor(
    private readonly list: readonly FoundCandidate[],
    private readonly summaries: readonly string[],
    private readonly texts: CandidateTexts,
  ) {}

  /** With the separators after the last entries, which are not sent. */
  get bytes(): number {
    const ofSummaries = this.summaries.reduce((sum, { length }) => sum + length, (OPENING + MIDDLE + END).length);
    return this.list.reduce((sum, { shape }) => sum + this.texts.bytesOf(shape), ofSummaries);
  }

  *pieces(): Iterable<string> {
    const { list, summaries, texts } = this;
    yield OPENING;
    for (let at = 0; at < list.length;) {
      let text = '';
      for (; at < list.length && text.length < PIECE_CHARACTERS; at += 1) {
        text += texts.textOf(list[at] as FoundCandidate);
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

/** A literal, the uuid at a place, a literal, …, a literal. Two lists, because a list of texts and numbers is slower. */
interface Template {
  readonly literals: readonly string[];
  readonly places: readonly number[];
  readonly bytes: number;
}

/** The texts of the candidates of one answer, with one template for each shape. */
export class CandidateTexts {
  private readonly templates = new Map<CandidateShape, Template>();

  constructor(readonly api: ApiVersion) {}

  /** The size of a candidate of this shape, in bytes. */
  readonly bytesOf = (shape: CandidateShape): number => this.templateOf(shape).bytes;

  textOf({ shape, providers }: FoundCandidate): string {
    const { literals, places } = this.templateOf(shape);
    let text = literals[0] as string;
    for (let at = 0; at < places.length; at += 1) {
      text += (providers[places[at] as number] as Provider).uuid + (literals[at + 1] as string);
    }
    return text;
  }

  private templateOf(shape: CandidateShape): Template {
    let template = this.templates.get(shape);
    if (template === undefined) {
      // JSON cannot contain the NUL characters around a place.
      const parts = `${textOfShape(shape, this.api)}${SEPARATOR}`.split('\u0000');
      const literals = parts.filter((_, at) => at % 2 === 0);
      const places = parts.filter((_, at) => at % 2 === 1).map(Number);
      const bytes = literals.reduce((sum, { length }) => sum + length, places.length * UUID_LENGTH);
      this.templates.set(shape, (template = { literals, places, bytes }));
    }
    return template;
  }
}

const uuidAt = (place: number): string => `\u0000${place}\u0000`;

function textOfShape({ resources, mappings }: CandidateShape, api: ApiVersion): string {
  const isDict = api.has('allocationsAsDict');
  const allocations = resources.flatMap((amounts, place) => {
    if (amounts === null) return [];
    const shown = `"resources":${amountsText(amounts)}`;
    return isDict ? `"${uuidAt(place)}":{${shown}}` : `{"resource_provider":{"uuid":"${uuidAt(place)}"},${shown}}`;
  });
  if (!isDict) return `{"allocations":[${allocations.join()}]}`;
  if (!api.has('mappings')) return `{"allocations":{${allocations.join()}}}`;
  const mapped = mappings.map(
    ({ suffix, places }) => `"${suffix}":[${places.map((place) => `"${uuidAt(place)}"`).join()}]`,
  );
  return `{"allocations":{${allocations.join()}},"mappings":{${mapped.join()}}}`;
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
