// Provider trees as plain parent links.

export interface TreeNode {
  readonly id: number;
  readonly parentId: number | null;
}

/** The ids of a node and all its descendants among `nodes`, the node first. */
export function subtreeOf(id: number, nodes: readonly TreeNode[]): readonly number[] {
  const children = new Map<number, number[]>();
  for (const node of nodes) {
    if (node.parentId === null) continue;
    const siblings = children.get(node.parentId);
    if (siblings === undefined) children.set(node.parentId, [node.id]);
    else siblings.push(node.id);
  }
  const found = [id];
  for (let at = 0; at < found.length; at += 1) found.push(...(children.get(found[at] ?? id) ?? []));
  return found;
}
