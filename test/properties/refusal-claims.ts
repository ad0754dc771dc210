// Checks whether a refusal is true. Parses every statement of its sentence, reasons and nearest misses, changes the
// described cloud or the request accordingly, and queries Placement again.
import type { Rejection, RequestCondition, ResourceRequest } from '../../src/placement/candidate-search';
import { conditionsOf } from '../../src/placement/candidate-search';
import type { SelectDestinationsDto } from '../../src/scheduler/request/request.schema';
import type { SimulationDto } from '../../src/scheduler/simulate/simulation.schema';
import type { Decision } from '../../src/scheduling-rules/pipeline/decision';
import { rootsWithCandidates } from './refusal-asked';
import type { Provider } from './refusal-worlds';

/** How often each kind of claim was judged. */
export type ClaimCounts = Record<
  'miss' | 'room' | 'apart' | 'no room' | 'never' | 'source' | 'condition' | 'unmet' | 'conflict' | 'named',
  number
>;

const LARGE = { total: 1_000_000 };

/** A clause of a refusal: so many hosts, some of them by name, and what of them. */
const CLAUSE = /^(\d+) hosts?(?: \(([^)]*)\))? (.*)$/i;
const NO_ROOM = /^(?:has|have) no room for (\d+) (\w+)/;
const NEVER = /^can never hold (\d+) (\w+)/;
const NO_CLASS = /^(?:has|have) no [A-Z]/;
const TRAIT_SOURCE =
  /^(?:lack|lacks|has|have) trait (\w+), (?:required|forbidden) by (.*?)(?: \(request group (\w+)\))?$/;

export class RefusalJudge {
  private readonly providers: readonly Provider[];
  private readonly rejections: readonly Rejection[];

  constructor(
    private readonly document: SimulationDto,
    /** What placement was asked. */
    private readonly request: ResourceRequest,
    private readonly decision: Decision,
    private readonly counts: ClaimCounts,
  ) {
    this.providers = document.providers ?? [];
    this.rejections = decision.placement?.rejections ?? [];
  }

  /** The claims that are false. */
  faults(): readonly string[] {
    const { sentence, reasons, nearestMisses } = this.decision.summary;
    const faults: string[] = [];
    const hold = (claim: string, isTrue: boolean): void => {
      if (!isTrue) faults.push(claim);
    };
    for (const { hosts, lack } of nearestMisses) {
      this.counts.miss += 1;
      hold(`nearest miss: ${hosts} lack only ${lack}`, this.countFixable(lack) >= hosts);
    }
    for (const [, number, lack] of sentence.matchAll(/(\d+) (?:hosts?|more) lacks? only ([^;]*?)(?=;|\.$)/g)) {
      hold(
        `lacks only ${lack}`,
        nearestMisses.some((miss) => miss.lack === lack && miss.hosts === Number(number)),
      );
    }
    this.judgeRoom(sentence, hold);
    this.judgeConditions(hold);
    this.judgeNamed(sentence, hold);
    for (const reason of reasons) this.judgeReason(reason, hold);
    return faults;
  }

  /** `2 hosts (a, b) have room`: they would be candidates without the condition that each was rejected for. */
  private judgeRoom(sentence: string, hold: (claim: string, isTrue: boolean) => void): void {
    const none = /^None of \d+ hosts has room/.test(sentence);
    if (none) hold('none has room', rootsWithCandidates(this.document, bare(this.request)).size === 0);
    const clauses = sentence.replace(/\.$/, '').split('; ');
    const [clause = ''] = clauses.filter((each) => / room$| apart from (?:that|these)$/.test(each));
    const [, number = 1, names = '', what] = CLAUSE.exec(clause) ?? [];
    if (clause === '') return;
    this.counts[what?.includes('room') === true ? 'room' : 'apart'] += 1;
    const roomy = new Set<string>();
    for (const { root, ...rejection } of this.rejections) {
      const lifted = withoutCondition(this.request, rejection);
      if (lifted !== null && rootsWithCandidates(this.document, lifted).has(root.uuid)) roomy.add(root.name);
    }
    hold(clause, roomy.size >= Number(number));
    for (const name of names.split(', ').filter((each) => each !== '')) hold(`${name} has room`, roomy.has(name));
  }

  /** Every count equals a count on the described providers, the cause leaves no host, and none of it is needless. */
  private judgeConditions(hold: (claim: string, isTrue: boolean) => void): void {
    const { conditions: counted } = this.decision.summary;
    const hosts = this.rejections.filter(({ stage }) => stage !== 'in_tree').map(({ root }) => root.uuid);
    hold('all rejected hosts are counted', counted?.hosts === hosts.length);
    if (counted === null) return;
    const cloud = new DescribedConditions(this.providers, this.request, (request) =>
      rootsWithCandidates(this.document, request),
    );
    const failed = new Map<string, ReadonlySet<string>>();
    for (const condition of conditionsOf(this.request)) {
      if (condition.kind === 'group_policy' || condition.kind === 'same_subtree') continue;
      const found = new Set(hosts.filter((host) => !cloud.satisfies(host, condition)));
      failed.set(condition.text, found);
      this.counts.condition += 1;
      const count = counted.counts.find((each) => each.condition === condition.text);
      const isRight =
        (count?.failed ?? 0) === found.size && (count?.satisfied ?? hosts.length) + found.size === hosts.length;
      hold(`${found.size} of ${hosts.length} hosts fail ${condition.text}`, isRight);
    }
    const allFail = [...failed].filter(([, found]) => found.size === hosts.length).map(([text]) => text);
    const { cause } = counted;
    const texts = cause?.conditions.map(({ condition }) => condition) ?? [];
    if (allFail.length > 0)
      hold(
        `no host satisfies ${allFail.join()}`,
        allFail.every((text) => texts.includes(text)),
      );
    if (cause === null || texts.some((text) => !failed.has(text))) return;
    this.counts[cause.kind] += 1;
    const leaves = (some: readonly string[]): number =>
      hosts.filter((host) => some.every((text) => failed.get(text)?.has(host) !== true)).length;
    hold(`${texts.join(' and ')} leave no host`, leaves(texts) === 0);
    for (const text of cause.kind === 'unmet' ? [] : texts) {
      hold(`${text} is needed`, leaves(texts.filter((other) => other !== text)) > 0);
    }
  }

  /** `Host h0, which the request names, lacks …; it …`: one statement for each condition that it fails. */
  private judgeNamed(sentence: string, hold: (claim: string, isTrue: boolean) => void): void {
    const [, name = '', what = ''] = /^Host (\w+), which the request names, (.*)\.$/.exec(sentence) ?? [];
    const { conditions } = this.decision.summary;
    if (name === '' || conditions === null) return;
    this.counts.named += 1;
    const statements = what.split('; it ').filter((each) => !/^(?:fits apart|lacks only)/.test(each));
    const reasons = conditions.counts.flatMap(({ failed, reasons: given }) => (failed === 1 ? given : []));
    hold(
      `${name} fails ${statements.join(' and ')}`,
      conditions.hosts === 1 && statements.join('; ') === reasons.map(({ phrase }) => phrase).join('; '),
    );
  }

  private judgeReason(reason: string, hold: (claim: string, isTrue: boolean) => void): void {
    const [, , names = '', what = ''] = CLAUSE.exec(reason) ?? [];
    const uuids = names.split(', ').flatMap((name) => this.providers.find((each) => each.name === name)?.uuid ?? []);
    const none = (document: SimulationDto, request: ResourceRequest): boolean => {
      const found = rootsWithCandidates(document, request);
      return uuids.every((uuid) => !found.has(uuid));
    };
    const [, amount, resourceClass = ''] = NO_ROOM.exec(what) ?? NEVER.exec(what) ?? [];
    if (amount !== undefined || NO_CLASS.test(what)) {
      this.counts['no room'] += 1;
      hold(reason, none(this.document, bare(this.request)));
    }
    const group = groupOf(what);
    const isOfOneClass =
      group === '' || this.request.groups.find(({ suffix }) => suffix === group)?.resources.size === 1;
    if (amount !== undefined && isOfOneClass) {
      const never = NEVER.test(what);
      this.counts.never += never ? 1 : 0;
      const alone = onlyFor(this.request, group, new Map([[resourceClass, Number(amount)]]));
      const found = rootsWithCandidates(this.emptied(), alone);
      hold(
        reason,
        uuids.every((uuid) => found.has(uuid) !== never),
      );
    }
    const [, trait = '', reported = ''] = TRAIT_SOURCE.exec(what) ?? [];
    if (trait === '' || trait.startsWith('COMPUTE_')) return;
    this.counts.source += 1;
    const sources =
      reported === OF_ROOT ? rootSourcesOf(this.request, trait) : sourcesOf(this.document.request, trait, group);
    hold(reason, reported === sources.join(' and '));
  }

  /** Rejected hosts that are candidates once they have what they are said to lack. */
  private countFixable(lack: string): number {
    let count = 0;
    for (const { root } of this.rejections) {
      for (const document of this.fixes(lack, root.uuid)) {
        if (!rootsWithCandidates(document, this.request).has(root.uuid)) continue;
        count += 1;
        break;
      }
    }
    return count;
  }

  /** Each way to give the host what it is said to lack. */
  private *fixes(lack: string, rootUuid: string): Generator<SimulationDto> {
    const tree = this.treeOf(rootUuid);
    const [, amount, resourceClass = ''] = /^(\d+) (\w+)$/.exec(lack) ?? [];
    if (amount !== undefined) {
      for (const { uuid, used } of [...tree, ...this.providers.filter(({ name }) => name === 'pool')]) {
        const taken = used?.[resourceClass];
        if (taken === undefined) continue;
        const left = Math.max(0, taken - Number(amount));
        yield this.changed([uuid], (each) => ({ ...each, used: { ...each.used, [resourceClass]: left } }));
      }
      return;
    }
    const uuids = tree.map(({ uuid }) => uuid);
    const places = [...uuids.map((uuid) => [uuid]), uuids];
    const [, kind = 'class', name = ''] = /^(?:(trait|freedom from trait) )?(\w+)$/.exec(lack) ?? [];
    for (const where of places) {
      if (kind === 'class' && name !== '') yield this.changed(where, (each) => withClass(each, name));
      if (kind === 'trait') yield this.changed(where, (each) => ({ ...each, traits: [...(each.traits ?? []), name] }));
      if (kind === 'freedom from trait') {
        yield this.changed(where, (each) => ({ ...each, traits: without(each.traits, [name]) }));
      }
    }
    const { groups } = this.request;
    if (lack.startsWith('a place in ')) {
      const joined = groups.flatMap(({ memberOf }) => memberOf.flatMap((anyOf) => anyOf.slice(0, 1)));
      yield this.changed([rootUuid], (each) => ({ ...each, aggregates: [...(each.aggregates ?? []), ...joined] }));
    }
    if (lack === 'freedom from forbidden aggregates') {
      const left = groups.flatMap(({ forbiddenAggregates }) => forbiddenAggregates);
      yield this.changed(uuids, (each) => ({ ...each, aggregates: without(each.aggregates, left) }));
    }
  }

  private treeOf(rootUuid: string): readonly Provider[] {
    const tree = this.providers.filter(({ uuid }) => uuid === rootUuid);
    for (const provider of tree) {
      tree.push(...this.providers.filter(({ parent_uuid: parent }) => parent === provider.uuid));
    }
    return tree;
  }

  private changed(uuids: readonly string[], change: (provider: Provider) => Provider): SimulationDto {
    const providers = this.providers.map((each) => (uuids.includes(each.uuid) ? change(each) : each));
    return { ...this.document, providers };
  }

  /** The cloud when nothing is used. */
  private emptied(): SimulationDto {
    return { ...this.document, providers: this.providers.map((each) => ({ ...each, used: {} })) };
  }
}

/** Whether described hosts satisfy single conditions, computed from the document. */
class DescribedConditions {
  constructor(
    private readonly providers: readonly Provider[],
    private readonly request: ResourceRequest,
    private readonly candidates: (request: ResourceRequest) => ReadonlySet<string>,
  ) {}

  satisfies(host: string, { kind, group: suffix, names }: RequestCondition): boolean {
    const root = this.providers.find(({ uuid }) => uuid === host);
    const has = ({ traits = [] }: Provider): boolean => names.some((name) => traits.includes(name));
    const isIn = ({ aggregates = [] }: Provider): boolean => names.some((name) => aggregates.includes(name));
    if (root === undefined) return false;
    const group = this.request.groups.find((each) => each.suffix === suffix);
    const tree = this.treeOf(host);
    // A tree that the unsuffixed group asks for excludes sharing providers of other trees.
    const isConfined = suffix === '' && (group?.inTree ?? null) !== null;
    const visible = [...tree, ...(isConfined ? [] : this.sharersOf(tree))];
    switch (kind) {
      case 'root_required':
        return has(root);
      case 'root_forbidden':
        return !has(root);
      case 'class': {
        const [name = ''] = names;
        const alone = onlyFor(this.request, suffix ?? '', new Map([[name, group?.resources.get(name) ?? 0]]));
        return this.candidates(alone).has(host);
      }
      case 'required':
        return visible.some(has);
      case 'forbidden':
        return this.isServed(root, { group, visible }, (provider) => !has(provider));
      case 'member_of':
        return this.isServed(
          root,
          { group, visible },
          (provider) => isIn(provider) || (suffix === '' && isIn(root) && tree.includes(provider)),
        );
      case 'forbidden_aggregates':
        return !(suffix === '' && isIn(root)) && this.isServed(root, { group, visible }, (each) => !isIn(each));
      default:
        return true;
    }
  }

  /** Every class that the host has at all has a provider that passes; a host with none of them is judged by its root. */
  private isServed(
    root: Provider,
    { group, visible }: { readonly group: ResourceRequest['groups'][number] | undefined; readonly visible: Provider[] },
    passes: (provider: Provider) => boolean,
  ): boolean {
    const byClass = [...(group?.resources.keys() ?? [])]
      .map((name) => visible.filter(({ inventories = {} }) => name in inventories))
      .filter(({ length }) => length > 0);
    return byClass.length === 0 ? passes(root) : byClass.every((providers) => providers.some(passes));
  }

  private treeOf(host: string): Provider[] {
    const tree = this.providers.filter(({ uuid }) => uuid === host);
    for (const provider of tree) tree.push(...this.providers.filter((each) => each.parent_uuid === provider.uuid));
    return tree;
  }

  private sharersOf(tree: readonly Provider[]): Provider[] {
    const reached = new Set(tree.flatMap(({ aggregates = [] }) => aggregates));
    return this.providers.filter(
      (each) =>
        !tree.includes(each) &&
        (each.traits ?? []).includes('MISC_SHARES_VIA_AGGREGATE') &&
        (each.aggregates ?? []).some((aggregate) => reached.has(aggregate)),
    );
  }
}

const groupOf = (phrase: string): string => / \(request group (\w+)\)$/.exec(phrase)?.[1] ?? '';

const without = (all: readonly string[] = [], gone: readonly string[]): string[] =>
  all.filter((each) => !gone.includes(each));

function withClass(provider: Provider, name: string): Provider {
  const { inventories = {} } = provider;
  return name in inventories ? provider : { ...provider, inventories: { ...inventories, [name]: LARGE } };
}

/** Amounts alone. */
const bare = (request: ResourceRequest): ResourceRequest => ({
  ...request,
  groups: request.groups.map((group) => ({
    ...group,
    requiredTraits: [],
    forbiddenTraits: [],
    memberOf: [],
    forbiddenAggregates: [],
  })),
  groupPolicy: 'none',
  sameSubtree: [],
  rootRequired: [],
  rootForbidden: [],
});

/** One class of the group, from any providers. */
function onlyFor(request: ResourceRequest, suffix: string, resources: ReadonlyMap<string, number>): ResourceRequest {
  const group = bare(request).groups.find((each) => each.suffix === suffix);
  if (group === undefined) return request;
  return { ...bare(request), groups: [{ ...group, suffix: '', resources }] };
}

/** The request without the condition of a rejection; null where that is room. */
function withoutCondition(
  request: ResourceRequest,
  { stage, code, group: suffix, params }: Omit<Rejection, 'root'>,
): ResourceRequest | null {
  const group = (change: (given: ResourceRequest['groups'][number]) => object): ResourceRequest => ({
    ...request,
    groups: request.groups.map((each) => (each.suffix === suffix ? { ...each, ...change(each) } : each)),
  });
  switch (stage) {
    case 'root':
    case 'traits': {
      // All parts of a request that require the same trait are one condition: a host has the trait or lacks it.
      const names = [params['trait'] ?? params['missing'] ?? params['present']].flat().map(String);
      const isForbidden = code === 'forbidden_trait';
      const required = (given: readonly string[]): readonly string[] => (isForbidden ? given : without(given, names));
      const forbidden = (given: readonly string[]): readonly string[] => (isForbidden ? without(given, names) : given);
      return {
        ...request,
        groups: request.groups.map((each) => ({
          ...each,
          requiredTraits: required(each.requiredTraits.flat()).map((name) => [name]),
          forbiddenTraits: forbidden(each.forbiddenTraits),
        })),
        rootRequired: required(request.rootRequired),
        rootForbidden: forbidden(request.rootForbidden),
      };
    }
    case 'aggregates':
      return group(() => ({ memberOf: [], forbiddenAggregates: [] }));
    case 'group_policy':
      return { ...request, groupPolicy: 'none' };
    case 'same_subtree':
      return { ...request, sameSubtree: [] };
    default:
      return null;
  }
}

const OF_ROOT = 'the request (request_level_params)';

const rootSourcesOf = ({ rootRequired, rootForbidden }: ResourceRequest, trait: string): readonly string[] =>
  [...rootRequired, ...rootForbidden].includes(trait) ? [OF_ROOT] : [];

/** Everything that asks for the trait in a group, as the sentence names it. */
function sourcesOf({ flavor, image }: SelectDestinationsDto, trait: string, group: string): readonly string[] {
  const extra = typeof flavor === 'string' ? {} : (flavor.extra_specs ?? {});
  const properties = typeof image === 'string' ? {} : (image?.properties ?? {});
  const key = `trait${group}:${trait}`;
  return [
    ...(key in extra ? [`the flavor (extra spec ${key})`] : []),
    ...(group === '' && key in properties ? [`the image (property ${key})`] : []),
  ];
}
