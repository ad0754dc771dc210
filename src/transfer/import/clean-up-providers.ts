// Converts the reference's providers to a forest: canonical uuids, a name for each, existing parents without loops, and
// the topmost parent as root. Deviations are reported as findings.
import type { Uuid } from '../../platform/values/uuid';
import { canonicalUuid } from '../../platform/values/uuid';
import type { Findings } from '../findings';
import type { ReferenceProviderRow } from '../reference/reader';
import { momentOf } from '../reference/times';
import { withoutLoops } from '../verify/tree-repairs';

export interface CleanProvider {
  /** Id in the reference. */
  readonly id: number;
  readonly uuid: Uuid;
  readonly name: string;
  readonly generation: number;
  readonly createdAtMs: number | undefined;
  readonly updatedAtMs: number | undefined;
  /** Null for a root, otherwise a provider of the same forest. */
  parent: CleanProvider | null;
  root: CleanProvider;
  depth: number;
}

/** Sorted by id. */
export function cleanUpProviders(rows: readonly ReferenceProviderRow[], findings: Findings): readonly CleanProvider[] {
  const byId = new Map<number, CleanProvider>();
  const spelled = new Set<Uuid>();
  for (const row of rows) {
    const uuid = canonicalUuid(row.uuid);
    if (uuid === undefined || spelled.has(uuid)) {
      findings.add(uuid === undefined ? 'bad-uuid' : 'doubled-uuid', `resource provider ${row.uuid}`);
      continue;
    }
    if (uuid !== row.uuid) findings.add('odd-uuid', `resource provider ${row.uuid}`);
    if (row.name === null) findings.add('missing-name', uuid);
    spelled.add(uuid);
    byId.set(row.id, providerOf(row, uuid));
  }
  const kept = rows.flatMap((row) => {
    const provider = byId.get(row.id);
    return provider === undefined ? [] : [{ row, provider }];
  });
  for (const { row, provider } of kept) {
    const { parent_provider_id: parent } = row;
    if (parent !== null && !byId.has(parent)) findings.add('missing-parent', provider.uuid);
  }
  const nodes = new Map(kept.map(({ row: { id, parent_provider_id: parent } }) => [id, { id, parent }]));
  const parents = withoutLoops(nodes, (id) => findings.add('parent-loop', byId.get(id)?.uuid ?? ''));
  for (const [id, provider] of byId) provider.parent = byId.get(parents.get(id) ?? -1) ?? null;
  setRoots(byId.values());
  for (const { row, provider } of kept) {
    if (row.root_provider_id === null) findings.add('missing-root', provider.uuid);
    else if (row.root_provider_id !== provider.root.id) findings.add('wrong-root', provider.uuid);
  }
  return kept.map(({ provider }) => provider);
}

function providerOf(row: ReferenceProviderRow, uuid: Uuid): CleanProvider {
  const provider: Omit<CleanProvider, 'root'> & { root?: CleanProvider } = {
    id: row.id,
    uuid,
    name: row.name ?? uuid,
    generation: row.generation ?? 0,
    createdAtMs: momentOf(row.created_at),
    updatedAtMs: momentOf(row.updated_at),
    parent: null,
    depth: 0,
  };
  return Object.assign(provider, { root: provider as CleanProvider });
}

/** Sets roots and depths. */
function setRoots(providers: Iterable<CleanProvider>): void {
  const rooted = new Set<CleanProvider>();
  for (const provider of providers) {
    const path: CleanProvider[] = [];
    for (let at: CleanProvider | null = provider; at !== null && !rooted.has(at); at = at.parent) path.push(at);
    for (const each of path.reverse()) {
      each.root = each.parent?.root ?? each;
      each.depth = each.parent === null ? 0 : each.parent.depth + 1;
      rooted.add(each);
    }
  }
}
