// Checks whether a refusal is true: counts every condition by brute force on the described cloud, checks that the cause is
// minimal, repairs the nearest hosts as named, and queries Placement again.
import type { Condition, Failure, Refusal, ResourceRequest } from '../../src/placement/candidate-search';
import type { SimulationDto } from '../../src/scheduler/simulate/simulation.schema';
import type { Decision } from '../../src/scheduling-rules/pipeline/decision';
import { rootsWithCandidates } from './refusal-asked';
import type { Provider } from './refusal-worlds';

type Part = Condition['parts'][number];

/** How often each kind of claim was judged. */
export type ClaimCounts = Record<
  'resource' | 'sum' | 'split' | 'never' | 'trait' | 'together' | 'filter' | 'one' | 'several' | 'near' | 'only',
  number
>;

const FILTER_KINDS = new Set(['service_up', 'group_policy', 'host']);

export class RefusalJudge {
  private readonly providers: readonly Provider[];
  private readonly refusal: Refusal;
  private readonly faultsFound: string[] = [];

  constructor(
    private readonly document: SimulationDto,
    /** What placement was asked. */
    private readonly request: ResourceRequest,
    decision: Decision,
    private readonly counts: ClaimCounts,
  ) {
    this.providers = document.providers ?? [];
    const { refusal } = decision.summary;
    if (refusal === null) throw new Error('the decision has no table');
    this.refusal = refusal;
  }

  /** The claims that are false. */
  faults(): readonly string[] {
    const hosts = this.hosts();
    this.hold('every host is judged', this.refusal.hosts === hosts.length);
    const failed = this.failedBy(hosts);
    this.judgeCounts(failed, hosts);
    this.judgeCause(failed, hosts);
    for (const { condition, hosts: near } of this.refusal.nearest) {
      near.forEach(({ root: { uuid, name }, failures: [failure] }) => {
        if (failure === undefined) return;
        this.counts.near += 1;
        if (failure.code === 'on_several_providers') this.counts.split += 1;
        const others = [...failed].filter(
          ([other, uuids]) => other !== condition && other.kind !== 'together' && uuids.has(uuid),
        );
        this.hold(
          `${name} fails ${condition.names.join()} only`,
          others.length === 0 && failed.get(condition)?.has(uuid),
        );
        this.hold(
          `${name} fits with ${JSON.stringify(failure.params)} of ${condition.names.join()}`,
          this.isRepaired(uuid, failure),
        );
      });
    }
    return this.faultsFound;
  }

  private hold(claim: string, isTrue: boolean | undefined): void {
    if (isTrue !== true) this.faultsFound.push(claim);
  }

  /** Root providers that are no pools, in the tree that the request names. */
  private hosts(): readonly string[] {
    const roots = this.providers.filter(({ parent_uuid: parent, name }) => !parent && name !== 'pool');
    const named = this.request.groups.find(({ inTree }) => inTree !== null)?.inTree ?? null;
    return roots.flatMap(({ uuid }) => (named === null || named === uuid ? [uuid] : []));
  }

  /** By brute force: the hosts that fail each condition of the table. */
  private failedBy(hosts: readonly string[]): ReadonlyMap<Condition, ReadonlySet<string>> {
    const cloud = new DescribedConditions(this.providers, this.request, (request) =>
      rootsWithCandidates(this.document, request),
    );
    const named = this.refusal.counts.map(({ condition }) => condition);
    const failed = new Map<Condition, Set<string>>();
    for (const condition of named) {
      if (condition.kind === 'together') continue;
      const fails = FILTER_KINDS.has(condition.kind)
        ? (host: string) => this.failsFilter(host, condition)
        : (host: string) => cloud.fails(host, condition);
      failed.set(condition, new Set(hosts.filter(fails)));
    }
    // What is left has each thing and no candidate.
    const fitting = rootsWithCandidates(this.document, this.request);
    const ofPlacement = (host: string): boolean =>
      named.some((condition) => !FILTER_KINDS.has(condition.kind) && failed.get(condition)?.has(host) === true);
    const together = hosts.filter((host) => !fitting.has(host) && !ofPlacement(host));
    const claimed = this.refusal.counts.filter(({ condition }) => condition.kind === 'together');
    this.hold(
      'hosts that lack a combination',
      claimed.reduce((sum, { figures }) => sum + figures.hosts, 0) === together.length,
    );
    for (const { condition } of claimed) failed.set(condition, new Set(together));
    for (const host of hosts) {
      const isRefused = [...failed.values()].some((uuids) => uuids.has(host));
      this.hold(`${host} fails something`, isRefused);
    }
    return failed;
  }

  private failsFilter(host: string, { kind }: Condition): boolean {
    const { name = '' } = this.providers.find(({ uuid }) => uuid === host) ?? {};
    const { request, hosts = [] } = this.document;
    const isIgnored = request.ignore_hosts?.includes(name) === true;
    if (kind === 'host') return isIgnored;
    // Hosts that the request ignores are not given to the filters.
    if (isIgnored) return false;
    if (kind === 'service_up') return hosts.some((each) => each.host === name && each.forced_down === true);
    const { instance_group: group } = request;
    return typeof group === 'object' && group?.hosts?.includes(name) === false;
  }

  private judgeCounts(failed: ReadonlyMap<Condition, ReadonlySet<string>>, hosts: readonly string[]): void {
    for (const { condition, figures } of this.refusal.counts) {
      const { kind, names } = condition;
      const { hosts: count, never } = figures;
      if (kind === 'together') {
        this.counts.together += 1;
        continue;
      }
      if (kind === 'resource') this.counts[condition.parts.length > 1 ? 'sum' : 'resource'] += 1;
      else this.counts[FILTER_KINDS.has(kind) ? 'filter' : 'trait'] += 1;
      const found = failed.get(condition)?.size ?? 0;
      this.hold(`${found} of ${hosts.length} hosts fail ${kind} ${names.join()}, not ${count}`, found === count);
      if (kind !== 'resource' || never === 0) continue;
      this.counts.never += 1;
      const emptied = this.providers.map((each) => ({ ...each, used: {} }));
      const fitting = rootsWithCandidates({ providers: emptied }, onlyOf(this.request, names[0] ?? ''));
      const able = hosts.filter((host) => fitting.has(host) && failed.get(condition)?.has(host) === true).length;
      this.hold(`${never} can never hold ${names.join()}`, able <= count - never);
    }
  }

  private judgeCause(failed: ReadonlyMap<Condition, ReadonlySet<string>>, hosts: readonly string[]): void {
    const { cause } = this.refusal;
    if (cause.length === 0 || cause.some(({ kind }) => kind === 'together')) return;
    this.counts[cause.length === 1 ? 'one' : 'several'] += 1;
    const leaves = (some: readonly Condition[]): number =>
      hosts.filter((host) => some.every((condition) => failed.get(condition)?.has(host) !== true)).length;
    const text = cause.map(({ names }) => names.join()).join(' and ');
    this.hold(`${text} leave no host`, leaves(cause) === 0);
    for (const condition of cause) {
      this.hold(`${condition.names.join()} is needed`, leaves(cause.filter((other) => other !== condition)) > 0);
    }
    if (cause.length === 1) return;
    this.hold(
      'no condition alone is the cause',
      ![...failed].some(([{ kind }, found]) => kind !== 'together' && found.size === hosts.length),
    );
  }

  private isRepaired(host: string, { condition, code, params }: Failure): boolean {
    const { kind, names } = condition;
    const [name = ''] = names;
    const fits = (providers: readonly Provider[], request = this.request): boolean =>
      rootsWithCandidates({ providers }, request).has(host);
    if (FILTER_KINDS.has(kind)) return fits(this.providers);
    if (kind === 'together') {
      const request = { ...this.request };
      if (code === 'group_policy') return fits(this.providers, { ...request, groupPolicy: 'none' });
      if (code === 'same_subtree') return fits(this.providers, { ...request, sameSubtree: [] });
      const groups = request.groups.filter(({ suffix }) => !names.includes(suffix));
      const sameSubtree = request.sameSubtree.map((set) => set.filter((suffix) => !names.includes(suffix)));
      return fits(this.providers, { ...request, groups, sameSubtree });
    }
    if (code === 'on_several_providers') return this.isSplit(host, condition, params['suffixes'] as readonly string[]);
    if (kind === 'resource') {
      const freed = this.providers.map((each) =>
        each.uuid === params['provider']
          ? { ...each, used: { ...each.used, [name]: (each.used?.[name] ?? 0) - Number(params['lacking']) } }
          : each,
      );
      return fits(freed);
    }
    const tree = new Set(treeOf(this.providers, host).map(({ uuid }) => uuid));
    const changed = this.providers.map((each) =>
      tree.has(each.uuid) ? repairedProvider(each, condition, host) : each,
    );
    return fits(changed);
  }

  /** Some division of the amount over the groups gives the host a candidate. */
  private isSplit(host: string, { names: [name = ''], amount }: Condition, suffixes: readonly string[]): boolean {
    const rest = this.request.groups
      .map((group) => ({
        ...group,
        resources: new Map([...group.resources].filter(([other]) => group.suffix !== '' || other !== name)),
      }))
      .filter(({ resources }) => resources.size > 0);
    const [model] = onlyOf(this.request, name).groups;
    if (model === undefined) return false;
    return divisions(amount ?? 0, suffixes.length).some((amounts) => {
      const groups = suffixes.map((suffix, at) => ({
        ...model,
        suffix,
        resources: new Map([[name, amounts[at] ?? 0]]),
      }));
      return rootsWithCandidates(this.document, { ...this.request, groups: [...rest, ...groups] }).has(host);
    });
  }
}

function divisions(amount: number, parts: number): readonly (readonly number[])[] {
  if (parts === 1) return [[amount]];
  return Array.from({ length: Math.max(0, amount - parts + 1) }, (_, at) => at + 1).flatMap((first) =>
    divisions(amount - first, parts - 1).map((rest) => [first, ...rest]),
  );
}

function repairedProvider(provider: Provider, { kind, names }: Condition, host: string): Provider {
  const { traits = [], aggregates = [] } = provider;
  const [first = ''] = names;
  if (kind === 'trait') return { ...provider, traits: [...traits, first] };
  if (kind === 'aggregate')
    return provider.uuid === host ? { ...provider, aggregates: [...aggregates, first] } : provider;
  if (kind === 'forbidden_aggregate') return { ...provider, aggregates: without(aggregates, names) };
  return { ...provider, traits: without(traits, names) };
}

/** Whether described hosts satisfy single conditions, computed from the document. */
class DescribedConditions {
  constructor(
    private readonly providers: readonly Provider[],
    private readonly request: ResourceRequest,
    private readonly candidates: (request: ResourceRequest) => ReadonlySet<string>,
  ) {}

  fails(host: string, { kind, names, parts }: Condition): boolean {
    if (kind === 'resource') return !this.candidates(onlyOf(this.request, names[0] ?? '')).has(host);
    return parts.some((part) => !this.satisfies(host, part));
  }

  private satisfies(host: string, { kind, group: suffix, names }: Part): boolean {
    const root = this.providers.find(({ uuid }) => uuid === host);
    const has = ({ traits = [] }: Provider): boolean => names.some((name) => traits.includes(name));
    const isIn = ({ aggregates = [] }: Provider): boolean => names.some((name) => aggregates.includes(name));
    if (root === undefined) return false;
    const group = this.request.groups.find((each) => each.suffix === suffix);
    const tree = treeOf(this.providers, host);
    // A tree that the unsuffixed group asks for excludes sharing providers of other trees.
    const isConfined = suffix === '' && (group?.inTree ?? null) !== null;
    const visible = [...tree, ...(isConfined ? [] : this.sharersOf(tree))];
    const served = { group, visible };
    switch (kind) {
      case 'root_required':
        return has(root);
      case 'root_forbidden':
        return !has(root);
      case 'required':
        return visible.some(has);
      case 'forbidden':
        return isServed(root, served, (provider) => !has(provider));
      case 'member_of':
        return isServed(
          root,
          served,
          (provider) => isIn(provider) || (suffix === '' && isIn(root) && tree.includes(provider)),
        );
      case 'forbidden_aggregates':
        return !(suffix === '' && isIn(root)) && isServed(root, served, (each) => !isIn(each));
      default:
        return true;
    }
  }

  private sharersOf(tree: readonly Provider[]): readonly Provider[] {
    const reached = new Set(tree.flatMap(({ aggregates = [] }) => aggregates));
    return this.providers.filter(
      (each) =>
        !tree.includes(each) &&
        (each.traits ?? []).includes('MISC_SHARES_VIA_AGGREGATE') &&
        (each.aggregates ?? []).some((aggregate) => reached.has(aggregate)),
    );
  }
}

interface Served {
  readonly group: ResourceRequest['groups'][number] | undefined;
  readonly visible: readonly Provider[];
}

/** Every class that the host has at all has a provider that passes; a host with none of them is judged by its root. */
function isServed(root: Provider, { group, visible }: Served, passes: (provider: Provider) => boolean): boolean {
  const byClass = [...(group?.resources.keys() ?? [])]
    .map((name) => visible.filter(({ inventories = {} }) => name in inventories))
    .filter(({ length }) => length > 0);
  return byClass.length === 0 ? passes(root) : byClass.every((providers) => providers.some(passes));
}

function treeOf(providers: readonly Provider[], host: string): readonly Provider[] {
  const tree = providers.filter(({ uuid }) => uuid === host);
  for (const provider of tree) tree.push(...providers.filter((each) => each.parent_uuid === provider.uuid));
  return tree;
}

const without = (all: readonly string[] = [], gone: readonly string[]): string[] =>
  all.filter((each) => !gone.includes(each));

/** One class of the request alone, for all groups that ask it. */
function onlyOf(request: ResourceRequest, name: string): ResourceRequest {
  const groups = request.groups.flatMap((group) => {
    const amount = group.resources.get(name);
    const bare = { requiredTraits: [], forbiddenTraits: [], memberOf: [], forbiddenAggregates: [] };
    return amount === undefined ? [] : [{ ...group, ...bare, resources: new Map([[name, amount]]) }];
  });
  return { ...request, groups, groupPolicy: 'none', sameSubtree: [], rootRequired: [], rootForbidden: [] };
}
