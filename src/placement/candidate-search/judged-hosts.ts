// Every host with the conditions of a request that it fails, in one pass over the trees. A host that fails one condition is
// searched once more, with the condition repaired. A sharing pool is not a host.

import type { Task } from '../../platform/values/task';
import { ConditionChecks } from './condition-checks';
import type { Condition, Failure } from './conditions';
import { without } from './conditions';
import type { Provider, ProviderGraph, Tree } from './provider-graph';
import { RepairedTrees } from './repaired-trees';
import type { ResourceRequest } from './request-group';
import { TreeFit } from './tree-fit';

export interface JudgedHost {
  readonly root: Pick<Provider, 'id' | 'uuid' | 'name'>;
  /** Empty: it has a candidate. */
  readonly failures: readonly Failure[];
  /** It fails one condition; repaired, the host has a candidate. */
  readonly isNear: boolean;
}

/** Hosts in the tree that the request names, otherwise all; in the order of their roots. */
export function* judgeHosts(graph: ProviderGraph, request: ResourceRequest): Task<readonly JudgedHost[]> {
  const judge = new HostJudge(graph, request);
  const hosts: JudgedHost[] = [];
  for (const rootId of graph.rootIds) {
    yield;
    const tree = graph.findTree(rootId);
    const judged = tree === undefined || tree.root.isSharing ? null : judge.judge(tree);
    if (judged !== null) hosts.push(judged);
  }
  return hosts;
}

/** Judges trees in ascending order of their roots. */
export class HostJudge {
  private readonly checks: ConditionChecks;
  private readonly fit: TreeFit;
  private readonly repairs: RepairedTrees;
  private readonly relaxed = new Map<string, TreeFit>();
  private readonly together = new Map<string, Condition>();

  constructor(
    private readonly graph: ProviderGraph,
    private readonly request: ResourceRequest,
  ) {
    this.checks = new ConditionChecks(graph, request);
    this.fit = new TreeFit(graph, request);
    this.repairs = new RepairedTrees(graph, request);
  }

  /** Null: the request names another tree. */
  judge(tree: Tree): JudgedHost | null {
    const failures = this.checks.failuresOf(tree);
    if (failures === null) return null;
    const { root } = tree;
    const [only, ...others] = failures;
    if (only === undefined) {
      return this.fit.fits(tree) ? { root, failures, isNear: false } : { root, ...this.failedTogether(tree) };
    }
    const repaired = others.length === 0 ? this.repairs.repaired(tree, only) : null;
    return { root, failures: repaired === null ? failures : [repaired], isNear: repaired !== null };
  }

  /** The host satisfies each condition and not all of them together: the rule or the group without which it fits. */
  private failedTogether(tree: Tree): Pick<JudgedHost, 'failures' | 'isNear'> {
    const { request } = this;
    const { groups } = request;
    if (this.fit.verdictOn(tree) === 'given_up') return this.failed(['given_up'], 'given_up', false);
    for (const condition of this.checks.conditions) {
      if (condition.kind !== 'together') continue;
      const [code = ''] = condition.parts.map(({ kind }) => kind);
      const key = `${code} ${condition.names.join()}`;
      if (!this.isFit(tree, key, () => without(request, condition))) continue;
      return { failures: [{ condition, code, params: {}, isNever: false }], isNear: true };
    }
    if (!request.nestedAware && this.isFit(tree, 'nested', () => ({ ...request, nestedAware: true }))) {
      return this.failed(['nested'], 'needs_several_providers_of_one_tree', false);
    }
    for (const group of groups) {
      const alone = { ...request, groups: [group], groupPolicy: 'none', sameSubtree: [] } as const;
      if (this.isFit(tree, `alone ${group.suffix}`, () => alone)) continue;
      const rest = groups.filter((each) => each !== group);
      const sameSubtree = request.sameSubtree.map((suffixes) => suffixes.filter((suffix) => suffix !== group.suffix));
      const isNear =
        rest.length > 0 && this.isFit(tree, `rest ${group.suffix}`, () => ({ ...request, groups: rest, sameSubtree }));
      return this.failed([group.suffix], 'not_on_one_provider', isNear);
    }
    return this.failed(
      groups.map(({ suffix }) => suffix),
      'rules_together',
      false,
    );
  }

  private failed(names: readonly string[], code: string, isNear: boolean): Pick<JudgedHost, 'failures' | 'isNear'> {
    const key = `${code} ${names.join()}`;
    let condition = this.together.get(key);
    if (condition === undefined) {
      condition = { kind: 'together', names, amount: null, groups: names, parts: [] };
      this.together.set(key, condition);
    }
    return { failures: [{ condition, code, params: {}, isNever: false }], isNear };
  }

  private isFit(tree: Tree, key: string, relaxed: () => ResourceRequest): boolean {
    let fit = this.relaxed.get(key);
    if (fit === undefined) this.relaxed.set(key, (fit = new TreeFit(this.graph, relaxed())));
    return fit.wouldFit(tree);
  }
}
