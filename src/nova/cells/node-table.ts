// The live rows of `compute_nodes` of one cell, in memory, keyed by id: a uuid keeps its row when its host changes.
import { addTo } from '../../platform/values/lists-by-key';
import type { DefaultRatios, NodeContent, NodeMark, NodeRow, NodeTexts, TextColumn } from './node-rows';
import { changedTexts, contentOf, NO_TEXTS, savedAtOf, withText } from './node-rows';
import { later } from './stamps';

export interface ComputeNode {
  /** As of the last save that changed more than its stamp. */
  readonly row: NodeRow;
  readonly updatedAt: string | null;
  readonly texts: NodeTexts;
  readonly content: NodeContent;
  readonly savedAtMs: number;
}

/** The texts of changed columns, by node id. */
type ReadTexts = ReadonlyMap<TextColumn, ReadonlyMap<number, string | null>>;

const NO_NODES: ReadonlyMap<number, ComputeNode> = new Map();

export class NodeTable {
  private readonly nodes = new Map<number, ComputeNode>();
  private readonly byHost = new Map<string, Map<number, ComputeNode>>();
  /** The newest stamp read. */
  newest: string | null = null;

  constructor(private readonly ratios: DefaultRatios) {}

  get size(): number {
    return this.nodes.size;
  }

  get ids(): Iterable<number> {
    return this.nodes.keys();
  }

  get hosts(): Iterable<string> {
    return this.byHost.keys();
  }

  ofHost(host: string): ReadonlyMap<number, ComputeNode> {
    return this.byHost.get(host) ?? NO_NODES;
  }

  /** Ids of the rows whose text must be read before `apply`, by column. */
  missingTexts(rows: readonly NodeRow[]): ReadonlyMap<TextColumn, readonly number[]> {
    const missing = new Map<TextColumn, number[]>();
    for (const row of rows) {
      if (row.deleted !== 0) continue;
      for (const column of changedTexts(row, this.nodes.get(row.id)?.row)) {
        // A digest of NULL is NULL: there is nothing to read.
        if (row[column] !== null) addTo(missing, column, row.id);
      }
    }
    return missing;
  }

  /**
   * Takes a row over if its content is the known one or it is deleted. False: the row must be read. Adds the hosts whose
   * facts change to `changed`.
   */
  applyMark(mark: NodeMark, changed: Set<string>): boolean {
    const known = this.nodes.get(mark.id);
    if (mark.deleted === 0 && known?.row.content !== mark.content) return false;
    this.newest = later(later(this.newest, mark.updated_at), mark.deleted_at);
    if (mark.deleted !== 0) this.remove(mark.id, changed);
    else if (known !== undefined && known.updatedAt !== mark.updated_at) {
      const { updated_at: updatedAt } = mark;
      this.put({ ...known, updatedAt, savedAtMs: savedAtOf(updatedAt, known.row.created_at) }, changed);
    }
    return true;
  }

  /** Takes one row over, with the texts that `missingTexts` named. */
  apply(row: NodeRow, read: ReadTexts, changed: Set<string>): void {
    if (row.host !== null && this.applyMark(row, changed)) return;
    this.newest = later(later(this.newest, row.updated_at), row.deleted_at);
    if (row.host === null) {
      this.remove(row.id, changed);
      return;
    }
    const known = this.nodes.get(row.id);
    let texts = known?.texts ?? NO_TEXTS;
    for (const column of changedTexts(row, known?.row)) {
      texts = withText(texts, column, read.get(column)?.get(row.id) ?? null);
    }
    const { updated_at: updatedAt, created_at: createdAt } = row;
    const content = contentOf(row, texts, this.ratios);
    this.put({ row, updatedAt, texts, content, savedAtMs: savedAtOf(updatedAt, createdAt) }, changed);
  }

  remove(id: number, changed: Set<string>): void {
    const known = this.nodes.get(id);
    if (known === undefined) return;
    this.nodes.delete(id);
    const { host } = known.row;
    if (host === null) return;
    changed.add(host);
    const ofHost = this.byHost.get(host);
    ofHost?.delete(id);
    if (ofHost?.size === 0) this.byHost.delete(host);
  }

  private put(node: ComputeNode, changed: Set<string>): void {
    const { id, host } = node.row;
    if (host === null) return;
    if (this.nodes.get(id)?.row.host !== host) this.remove(id, changed);
    this.nodes.set(id, node);
    let ofHost = this.byHost.get(host);
    if (ofHost === undefined) this.byHost.set(host, (ofHost = new Map<number, ComputeNode>()));
    ofHost.set(id, node);
    changed.add(host);
  }
}
