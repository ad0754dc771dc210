// A reader of the change log as any process may be one: it loads the provider graph once, and from then on knows
// nothing but the log and the trees the log names. Plain and slow on purpose; the oracle beside it is the loaded graph.
import { finish } from '../../src/platform/values/walk';
import { applyUsage, buildGraph, replaceTrees } from '../../src/placement/candidate-search';
import type { ProviderGraph } from '../../src/placement/candidate-search';
import { loadGraphRows, loadTreesOf } from '../../src/placement/allocation-candidates/graph.loader';
import { TREE_CHANGE, USAGE_CHANGE } from '../../src/platform/database/change-log';
import type { ChangeRow } from '../../src/platform/database/change-log';
import type { Database } from '../../src/platform/database/database';

/** Every row of the log, in the order of its lanes. */
export function readChangeLog(database: Database): Promise<readonly ChangeRow[]> {
  return database.read((sql) =>
    sql.query<ChangeRow>(
      'SELECT lane, seq, kind, ref_id, resource_provider_id, used, version FROM change_log ' +
        'ORDER BY lane, seq, kind, ref_id',
    ),
  );
}

/** What the database holds now. */
export async function loadedGraph(database: Database): Promise<ProviderGraph> {
  return buildGraph(await database.readSnapshot(loadGraphRows));
}

export class GraphFollower {
  private constructor(
    private readonly database: Database,
    private readonly seen: Map<number, number>,
    private current: ProviderGraph,
  ) {}

  /** Vector first, tables after: what is committed in between is read twice rather than never. */
  static async start(database: Database): Promise<GraphFollower> {
    const seen = lastOfLanes(await readChangeLog(database));
    return new GraphFollower(database, seen, await loadedGraph(database));
  }

  get graph(): ProviderGraph {
    return this.current;
  }

  /** The rows written since the last call, of all lanes; remembered as seen. */
  async news(): Promise<readonly ChangeRow[]> {
    const rows = (await readChangeLog(this.database)).filter((row) => row.seq > (this.seen.get(row.lane) ?? 0));
    for (const [lane, seq] of lastOfLanes(rows)) this.seen.set(lane, seq);
    return rows;
  }

  /** Applies rows in the order given; answers the graph after them. */
  async apply(rows: readonly ChangeRow[]): Promise<ProviderGraph> {
    if (rows.length === 0) return this.current;
    const usages = rows.filter((row) => row.kind === USAGE_CHANGE);
    const { graph, unknownIds } = applyUsage(
      this.current,
      usages.map((row) => ({ inventoryId: row.ref_id, used: row.used ?? 0, version: row.version ?? 0 })),
    );
    const unknown = new Set(unknownIds);
    const touched = new Set([
      ...rows.filter((row) => row.kind === TREE_CHANGE).map((row) => row.ref_id),
      ...usages.filter((row) => unknown.has(row.ref_id)).map((row) => row.resource_provider_id),
    ]);
    this.current = touched.size === 0 ? graph : await this.withTreesOf(graph, touched);
    return this.current;
  }

  /** Reads the log and applies what is new. */
  async follow(): Promise<ProviderGraph> {
    return this.apply(await this.news());
  }

  /** Loads the trees in which the touched providers are now, and what has become of those in which the graph has them. */
  private async withTreesOf(graph: ProviderGraph, touched: ReadonlySet<number>): Promise<ProviderGraph> {
    const members = [...touched].flatMap((id) => graph.findTreeOf(id)?.providers.map((provider) => provider.id) ?? []);
    const ids = [...new Set([...touched, ...members])];
    return finish(replaceTrees(graph, touched, await this.database.readSnapshot((sql) => loadTreesOf(sql, ids))));
  }
}

function lastOfLanes(rows: readonly ChangeRow[]): Map<number, number> {
  const last = new Map<number, number>();
  for (const { lane, seq } of rows) last.set(lane, Math.max(seq, last.get(lane) ?? 0));
  return last;
}
