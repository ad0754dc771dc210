// Computes parents and roots that make the providers a forest again: cuts loops, sets roots to the topmost parent.
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import type { Uuid } from '../../platform/values/uuid';

interface Node {
  readonly id: number;
  readonly uuid: Uuid;
  readonly parent: number | null;
  readonly root: number | null;
}

interface TreeRepair {
  readonly node: Node;
  readonly parent: number | null;
  readonly root: number;
}

export async function findTreeRepairs(sql: SqlReader): Promise<readonly TreeRepair[]> {
  const rows = await sql.query<Node>(
    'SELECT id, uuid, parent_provider_id AS parent, root_provider_id AS root FROM resource_providers ORDER BY id',
  );
  const nodes = new Map(rows.map((row) => [row.id, row]));
  const parents = withoutLoops(nodes);
  const roots = new Map<number, number>();
  const rootOf = (id: number): number => {
    const path: number[] = [];
    let at = id;
    for (let parent = parents.get(at) ?? null; parent !== null && !roots.has(at); parent = parents.get(at) ?? null) {
      path.push(at);
      at = parent;
    }
    const root = roots.get(at) ?? at;
    for (const each of [...path, at]) roots.set(each, root);
    return root;
  };
  return rows.flatMap((node) => {
    const [parent, root] = [parents.get(node.id) ?? null, rootOf(node.id)];
    return parent === node.parent && root === node.root ? [] : [{ node, parent, root }];
  });
}

/**
 * Parents by id. In a loop, the provider with the lowest id becomes a root, as does one whose parent is missing. `cut` is
 * called for each that was in a loop.
 */
export function withoutLoops(
  nodes: ReadonlyMap<number, Pick<Node, 'id' | 'parent'>>,
  cut: (id: number) => void = () => undefined,
): ReadonlyMap<number, number | null> {
  const parents = new Map<number, number | null>();
  for (const { id, parent } of nodes.values()) parents.set(id, parent !== null && nodes.has(parent) ? parent : null);
  const settled = new Set<number>();
  for (const start of nodes.keys()) {
    const path: number[] = [];
    const onPath = new Set<number>();
    for (let at: number | null = start; at !== null && !settled.has(at); at = parents.get(at) ?? null) {
      if (onPath.has(at)) {
        const first = path.slice(path.indexOf(at)).reduce((low, each) => Math.min(low, each));
        parents.set(first, null);
        cut(first);
        break;
      }
      onPath.add(at);
      path.push(at);
    }
    for (const id of path) settled.add(id);
  }
  return parents;
}

export const describeTreeRepair = ({ node, parent, root }: TreeRepair): string =>
  `resource provider ${node.uuid}: ` +
  (parent === node.parent
    ? `root set from ${node.root ?? 'none'} to ${root}, the top of its parents`
    : `made a root: its parents form a loop and its id is the lowest`);

/** Skips providers whose parent or root has changed in the meantime. Returns how many were repaired. */
export async function repairTrees(tx: WriteTx, repairs: readonly TreeRepair[]): Promise<number> {
  let count = 0;
  for (const { node, parent, root } of repairs) {
    const matched = await tx.run(
      'UPDATE resource_providers SET parent_provider_id = ?, root_provider_id = ?, holds = holds + 1 ' +
        'WHERE id = ? AND COALESCE(parent_provider_id, 0) = ? AND COALESCE(root_provider_id, 0) = ?',
      [parent, root, node.id, node.parent ?? 0, node.root ?? 0],
    );
    count += matched;
    if (matched > 0) tx.changes.tree(node.id);
  }
  return count;
}
