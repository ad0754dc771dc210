// The provider trees of Placement, for an audit. A stray tree is that of a compute node that nova does not have, or no
// longer has: of a deleted, renamed or rebuilt host. Its inventory is still offered and counted as capacity.
import type { ProviderFilter, ResourceProvider } from '../../placement/resource-providers/resource-providers.commands';
import type { ResourceProvidersService } from '../../placement/resource-providers/resource-providers.service';
import { addTo } from '../../platform/values/lists-by-key';
import type { AuditFinding, RepairOutcome } from './findings';
import type { AuditedNode, NodeIndex } from './nova-records';
import type { AuditParts } from './repair';
import { left, outcomeOf } from './repair';

const EVERY: ProviderFilter = { requiredTraits: [], forbiddenTraits: [], memberOf: [], forbiddenAggregates: [] };
/** nova-compute sets it on the root provider of each node. */
const COMPUTE_NODE = 'COMPUTE_NODE';

export class ProviderTrees {
  private readonly roots = new Map<string, ResourceProvider>();
  private readonly children = new Map<string, string[]>();

  private constructor(
    providers: readonly ResourceProvider[],
    private readonly computeNodes: ReadonlySet<string>,
  ) {
    for (const provider of providers) {
      if (provider.parentUuid === null) this.roots.set(provider.name, provider);
      else addTo(this.children, provider.parentUuid, provider.uuid);
    }
  }

  static async read(providers: Pick<ResourceProvidersService, 'list'>): Promise<ProviderTrees> {
    const marked = await providers.list({ ...EVERY, requiredTraits: [[COMPUTE_NODE]] });
    return new ProviderTrees(await providers.list(EVERY), new Set(marked.map(({ uuid }) => uuid)));
  }

  /** The root provider with this name. */
  named(name: string): ResourceProvider | undefined {
    return this.roots.get(name);
  }

  /** Roots of compute nodes that nova does not have. `nodes` was read after the providers. */
  strays(nodes: NodeIndex): readonly ResourceProvider[] {
    const names = new Set([...nodes.live()].map(({ node }) => node));
    return [...this.roots.values()].filter(({ uuid, name }) => {
      const node = nodes.find(uuid);
      if (node !== undefined) return node.host === null;
      return this.computeNodes.has(uuid) || names.has(name);
    });
  }

  /** The providers of a tree, children before their parents. */
  ofRoot(uuid: string): readonly string[] {
    const found = [uuid];
    for (let at = 0; at < found.length; at += 1) found.push(...(this.children.get(found[at] ?? uuid) ?? []));
    return found.reverse();
  }
}

/** A stray as a deleted node: its allocations belong to no host. */
export const deletedNodeOf = ({ uuid, name }: ResourceProvider): AuditedNode => ({
  uuid,
  cell: NO_CELL,
  host: null,
  node: name,
  isDisabled: false,
});

const NO_CELL = -1;

interface StrayAudit extends Pick<AuditParts, 'allocations' | 'providers' | 'isToFix'> {
  readonly trees: ProviderTrees;
  readonly strays: readonly ResourceProvider[];
}

/** Runs after the repair of the consumers, which can empty a stray tree. A tree with allocations stays whole. */
export async function* auditStrays(audit: StrayAudit): AsyncGenerator<AuditFinding> {
  const { trees, strays, allocations, providers, isToFix } = audit;
  for (const { uuid, name } of strays) {
    const used = await allocationsOn(allocations, uuid);
    const text = `provider ${name} has ${used}, and nova has no compute node with its uuid.`;
    const remedy = `Delete the provider: openstack resource provider delete ${uuid}.`;
    // Children come before their parents. A provider that gets an allocation or a child meanwhile stays.
    const remove = (): Promise<RepairOutcome> =>
      outcomeOf(async () => {
        for (const provider of trees.ofRoot(uuid)) await providers.delete(provider);
      });
    const repair = isToFix ? await (used === UNUSED ? remove() : left(`It has ${used}.`)) : null;
    yield { kind: 'no-node', subject: uuid, text, remedy, repair };
  }
}

const UNUSED = 'no allocations';

/** "allocations of 3 consumers": those in the tree of this root. */
export async function allocationsOn(allocations: AuditParts['allocations'], root: string): Promise<string> {
  const count = (await allocations.consumersOfTrees([root])).get(root)?.length ?? 0;
  return count === 0 ? UNUSED : `allocations of ${count} ${count === 1 ? 'consumer' : 'consumers'}`;
}
