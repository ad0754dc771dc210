// Converts the reference's providers to a forest: canonical uuids, a name for each, existing parents without loops, and
// the topmost parent as root. Deviations are reported as findings.
import type { Uuid } from '../../platform/values/uuid';
import { canonicalUuid } from '../../platform/values/uuid';
import type { Findings } from '../findings';
import type { ReferenceProviderRow } from '../reference/reader';
import { momentOf } from '../reference/times';

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
    if (row.parent_provider_id === null) continue;
    provider.parent = byId.get(row.parent_provider_id) ?? null;
    if (provider.parent === null) findings.add('missing-parent', provider.uuid);
  }
  cutLoops(byId, findings);
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

/** Sets roots and depths. In a loop of parents, the provider with the lowest id becomes a root. */
function cutLoops(byId: ReadonlyMap<number, CleanProvider>, findings: Findings): void {
  const rooted = new Set<CleanProvider>();
  for (const start of byId.values()) {
    const path: CleanProvider[] = [];
    const onPath = new Set<CleanProvider>();
    let at: CleanProvider | null = start;
    while (at !== null && !rooted.has(at)) {
      if (onPath.has(at)) {
        const first = path.slice(path.indexOf(at)).reduce((low, each) => (each.id < low.id ? each : low));
        findings.add('parent-loop', first.uuid);
        first.parent = null;
        break;
      }
      onPath.add(at);
      path.push(at);
      at = at.parent;
    }
    setRoots(path, rooted);
  }
}

/** Sets the roots along a path to the topmost provider, or to one with a known root. A cut loop can split the path. */
function setRoots(path: readonly CleanProvider[], rooted: Set<CleanProvider>): void {
  let waiting = path.filter((provider) => !rooted.has(provider));
  while (waiting.length > 0) {
    const ready = waiting.filter(({ parent }) => parent === null || rooted.has(parent));
    for (const provider of ready) {
      provider.root = provider.parent?.root ?? provider;
      provider.depth = provider.parent === null ? 0 : provider.parent.depth + 1;
      rooted.add(provider);
    }
    waiting = waiting.filter((provider) => !rooted.has(provider));
  }
}
