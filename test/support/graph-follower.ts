// A reference reader of the change log: loads the provider graph once, and then reads only the log and the trees that
// it names. Simple and slow; the test compares it with a loaded graph.
import { loadGraphRows, loadTreesOf } from '../../src/placement/allocation-candidates/graph.loader';
import type { ProviderGraph } from '../../src/placement/candidate-search';
import { applyUsage, buildGraph, replaceTrees } from '../../src/placement/candidate-search';
import type { ChangeRow } from '../../src/platform/database/change-log';
import { TREE_CHANGE, USAGE_CHANGE } from '../../src/platform/database/change-log';
import type { Database } from '../../src/platform/database/database';
import { runToCompletion } from '../../src/platform/values/task';

/** Every row of the log, in the order of its lanes. */
export function readChangeLog(database: Database): Promise<readonly ChangeRow[]> {
  return database.read((sql) =>
    sql.query<ChangeRow>(
      'SELECT lane, seq, kind, ref_id, resource_provider_id, used, version FROM change_log ' +
        'ORDER BY lane, seq, kind, ref_id',
    ),
  );
}

/** The current content of the database. */
export async function loadedGraph(database: Database): Promise<ProviderGraph> {
  return buildGraph(await database.readSnapshot(loadGraphRows));
}

export class GraphFollower {
  private constructor(
    private readonly database: Database,
    private readonly seen: Map<number, number>,
    private current: ProviderGraph,
  ) {}

  /** Reads the vector before the tables: changes in between are read twice rather than never. */
  static async start(database: Database): Promise<GraphFollower> {
    const seen = lastOfLanes(await readChangeLog(database));
    return new GraphFollower(database, seen, await loadedGraph(database));
  }

  get graph(): ProviderGraph {
    return this.current;
  }

  /** The rows written since the last call, in all lanes; advances the vector. */
  async news(): Promise<readonly ChangeRow[]> {
    const rows = (await readChangeLog(this.database)).filter((row) => row.seq > (this.seen.get(row.lane) ?? 0));
    for (const [lane, seq] of lastOfLanes(rows)) this.seen.set(lane, seq);
    return rows;
  }

  /** Applies rows in the given order; returns the resulting graph. */
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

  /** Reads the log and applies the new rows. */
  async follow(): Promise<ProviderGraph> {
    return this.apply(await this.news());
  }

  /** Loads the current trees of the touched providers, and of the trees that held them in the graph. */
  private async withTreesOf(graph: ProviderGraph, touched: ReadonlySet<number>): Promise<ProviderGraph> {
    const members = [...touched].flatMap((id) => graph.findTreeOf(id)?.providers.map((provider) => provider.id) ?? []);
    const ids = [...new Set([...touched, ...members])];
    return runToCompletion(
      replaceTrees(graph, touched, await this.database.readSnapshot((sql) => loadTreesOf(sql, ids))),
    );
  }
}

function lastOfLanes(rows: readonly ChangeRow[]): Map<number, number> {
  const last = new Map<number, number>();
  for (const { lane, seq } of rows) last.set(lane, Math.max(seq, last.get(lane) ?? 0));
  return last;
}
