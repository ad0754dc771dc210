// The live rows of `compute_nodes` of one cell, in memory, keyed by id: a uuid keeps its row when its host changes.
import type { HostReport } from '../../scheduling-rules/host-state/host-facts';
import type { DefaultRatios, NodeContent, NodeRow, NodeTexts, TextColumn } from './node-rows';
import { changedTexts, contentOf, isSameContent, NO_TEXTS, savedAtOf, withText } from './node-rows';
import { later } from './stamps';

export interface ComputeNode {
  readonly row: NodeRow;
  readonly texts: NodeTexts;
  readonly content: NodeContent;
  readonly savedAtMs: number;
}

/** The texts of changed columns, by node id. */
export type ReadTexts = ReadonlyMap<TextColumn, ReadonlyMap<number, string | null>>;

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
        if (row[column] === null) continue;
        const ids = missing.get(column);
        if (ids === undefined) missing.set(column, [row.id]);
        else ids.push(row.id);
      }
    }
    return missing;
  }

  /** Takes one row over; adds the hosts whose facts it changes to `changed`. */
  apply(row: NodeRow, read: ReadTexts, changed: Set<string>): void {
    this.newest = later(later(this.newest, row.updated_at), row.deleted_at);
    if (row.deleted !== 0 || row.host === null) {
      this.remove(row.id, changed);
      return;
    }
    const known = this.nodes.get(row.id);
    if (known !== undefined && isSameContent(row, known.row)) {
      if (known.row.updated_at === row.updated_at) return;
      this.put({ row, texts: known.texts, content: known.content, savedAtMs: savedAtOf(row) }, changed);
      return;
    }
    let texts = known?.texts ?? NO_TEXTS;
    for (const column of changedTexts(row, known?.row)) {
      texts = withText(texts, column, read.get(column)?.get(row.id) ?? null);
    }
    this.put({ row, texts, content: contentOf(row, texts, this.ratios), savedAtMs: savedAtOf(row) }, changed);
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

export const reportIn = (node: ComputeNode): HostReport | null =>
  'report' in node.content ? node.content.report : null;
