// The instances on the hosts of one cell, in memory. Rows of `instances` and the computes' casts change it; counts and
// sums of ids by host show what both missed.
import type { ReportedInstance } from '../../scheduling-rules/host-state/host-facts';
import type { ImageProperties } from './image-properties';
import { hasSameProperties, NO_PROPERTIES } from './image-properties';
import { NOVA_LIMITS } from './limits';
import { SharedValues } from './shared-values';
import { later, millisecondsOf } from './stamps';

export interface InstanceRow {
  readonly id: number;
  readonly uuid: string;
  readonly host: string | null;
  readonly node: string | null;
  readonly deleted: number;
  readonly updated_at: string | null;
  readonly project_id: string | null;
  readonly vm_state: string | null;
  readonly task_state: string | null;
}

export const INSTANCE_COLUMNS = 'id, uuid, host, node, deleted, updated_at, project_id, vm_state, task_state';

/** The instances of one host by SQL: how many, and the sum of their ids. */
export interface HostSum {
  readonly host: string;
  readonly instances: number;
  /** A sum arrives as text. */
  readonly ids: string | number;
}

interface Reading {
  /** The figures of the nodes were saved long ago, so they count the instances of the first read. */
  readonly isFirstRead?: boolean;
  /** By instance; absent if they are not read. */
  readonly properties?: ReadonlyMap<string, ImageProperties> | undefined;
}

interface Entry {
  /** 0: known from a cast only. */
  id: number;
  host: string;
  node: string | null;
  /** When the row was saved that first named this host; 0: it was known from the first read on. */
  listedAtMs: number;
  instance: ReportedInstance;
}

interface HostList {
  readonly entries: Map<string, Entry>;
  idSum: number;
  /** Entries of casts without a row yet. */
  withoutId: number;
  /** The list of the report; built again after a change. */
  report: readonly ReportedInstance[] | null;
}

const NONE: readonly ReportedInstance[] = Object.freeze([]);

export class InstanceTable {
  private readonly entries = new Map<string, Entry>();
  private readonly byHost = new Map<string, HostList>();
  /** Equal texts of rows share one string. */
  private readonly texts = new SharedValues(NOVA_LIMITS.sharedNames);
  /** Instances that are about to be deleted: a soft delete moves no stamp. */
  private readonly leaving = new Map<number, string>();
  newest: string | null = null;
  greatestId = 0;

  get size(): number {
    return this.entries.size;
  }

  get hosts(): Iterable<string> {
    return this.byHost.keys();
  }

  get leavingIds(): readonly number[] {
    return [...this.leaving.keys()];
  }

  ofHost(host: string): readonly ReportedInstance[] {
    const list = this.byHost.get(host);
    if (list === undefined) return NONE;
    list.report ??= [...list.entries.values()].map(({ instance }) => instance);
    return list.report;
  }

  /** When the instance was first listed on the host, and on which of its nodes; undefined if it is not there. */
  listing(host: string, uuid: string): { readonly node: string | null; readonly listedAtMs: number } | undefined {
    const entry = this.entries.get(uuid);
    return entry?.host === host ? entry : undefined;
  }

  /** Takes a row over; adds the hosts whose list changes to `changed`. */
  apply(row: InstanceRow, changed: Set<string>, { isFirstRead = false, properties }: Reading = {}): void {
    this.newest = later(this.newest, row.updated_at);
    if (row.id > this.greatestId) this.greatestId = row.id;
    const isLive = row.deleted === 0;
    if (isLive && row.vm_state === 'deleted' && this.leaving.size < NOVA_LIMITS.leavingInstances)
      this.leaving.set(row.id, row.uuid);
    else if (this.leaving.size > 0) this.leaving.delete(row.id);
    if (!isLive || row.host === null) {
      this.remove(row.uuid, changed);
      return;
    }
    const known = this.entries.get(row.uuid);
    const imageProperties = properties?.get(row.uuid) ?? NO_PROPERTIES;
    if (
      known !== undefined &&
      known.id === row.id &&
      known.host === row.host &&
      isSame(known.instance, row, imageProperties)
    ) {
      known.node = this.shared(row.node);
      return;
    }
    const instance: ReportedInstance = {
      uuid: row.uuid,
      projectId: this.shared(row.project_id),
      flavor: null,
      imageProperties,
      taskState: this.shared(row.task_state),
      vmState: this.shared(row.vm_state),
    };
    // The time of a cast is that of this machine's clock.
    const isThere = known?.host === row.host && known.id !== 0;
    const listedAtMs = isThere ? known.listedAtMs : isFirstRead ? 0 : (millisecondsOf(row.updated_at) ?? 0);
    const host = this.shared(row.host);
    this.put({ id: row.id, host, node: this.shared(row.node), listedAtMs, instance }, changed);
  }

  /** Rows of leaving instances that no longer exist: they were archived. */
  removeArchived(ids: readonly number[], rows: readonly InstanceRow[], changed: Set<string>): void {
    const present = new Set(rows.map(({ id }) => id));
    for (const id of ids) {
      if (present.has(id)) continue;
      const uuid = this.leaving.get(id);
      this.leaving.delete(id);
      if (uuid !== undefined) this.remove(uuid, changed);
    }
  }

  /** A cast lists the instance on the host. A row of another host wins: it was read from the database. */
  add(host: string, uuid: string, nowMs: number, changed: Set<string>): void {
    if (this.entries.has(uuid)) return;
    const instance: ReportedInstance = {
      uuid,
      projectId: null,
      flavor: null,
      imageProperties: NO_PROPERTIES,
      taskState: null,
      vmState: null,
    };
    this.put({ id: 0, host: this.shared(host), node: null, listedAtMs: nowMs, instance }, changed);
  }

  /** A cast says that the instance left the host. */
  leave(host: string, uuid: string, changed: Set<string>): void {
    if (this.entries.get(uuid)?.host === host) this.remove(uuid, changed);
  }

  isListedExactly(host: string, uuids: readonly string[]): boolean {
    const entries = this.byHost.get(host)?.entries;
    const expected = new Set(uuids);
    return expected.size === (entries?.size ?? 0) && uuids.every((uuid) => entries?.has(uuid) === true);
  }

  /** Replaces the list of a host by its rows. */
  replace(host: string, rows: readonly InstanceRow[], changed: Set<string>, reading: Reading = {}): void {
    const present = new Set(rows.map(({ uuid }) => uuid));
    for (const uuid of [...(this.byHost.get(host)?.entries.keys() ?? [])]) {
      if (!present.has(uuid)) this.remove(uuid, changed);
    }
    for (const row of rows) this.apply(row, changed, reading);
  }

  /** Hosts whose list differs from the database. */
  differing(sums: readonly HostSum[]): readonly string[] {
    const differing: string[] = [];
    const hosts = new Set<string>();
    for (const { host, instances, ids } of sums) {
      hosts.add(host);
      const list = this.byHost.get(host);
      const isEqual =
        list !== undefined && list.withoutId === 0 && list.entries.size === instances && list.idSum === Number(ids);
      if (!isEqual) differing.push(host);
    }
    for (const host of this.byHost.keys()) if (!hosts.has(host)) differing.push(host);
    return differing;
  }

  private put(entry: Entry, changed: Set<string>): void {
    const { uuid } = entry.instance;
    this.remove(uuid, changed);
    this.entries.set(uuid, entry);
    let list = this.byHost.get(entry.host);
    if (list === undefined) {
      list = { entries: new Map(), idSum: 0, withoutId: 0, report: null };
      this.byHost.set(entry.host, list);
    }
    list.entries.set(uuid, entry);
    list.idSum += entry.id;
    if (entry.id === 0) list.withoutId += 1;
    list.report = null;
    changed.add(entry.host);
  }

  private remove(uuid: string, changed: Set<string>): void {
    const entry = this.entries.get(uuid);
    if (entry === undefined) return;
    this.entries.delete(uuid);
    changed.add(entry.host);
    const list = this.byHost.get(entry.host);
    if (list === undefined) return;
    list.entries.delete(uuid);
    list.idSum -= entry.id;
    if (entry.id === 0) list.withoutId -= 1;
    list.report = null;
    if (list.entries.size === 0) this.byHost.delete(entry.host);
  }

  private shared<T extends string | null>(text: T): T {
    return text === null ? text : this.texts.of(text, () => text);
  }
}

const isSame = (instance: ReportedInstance, row: InstanceRow, imageProperties: ImageProperties): boolean =>
  instance.projectId === row.project_id &&
  instance.vmState === row.vm_state &&
  instance.taskState === row.task_state &&
  hasSameProperties(instance.imageProperties, imageProperties);
