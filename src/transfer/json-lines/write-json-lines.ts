// Writes the Placement data of Berth as JSON Lines. The file gets its final name only when it is complete.
import type { FileHandle } from 'node:fs/promises';
import { open, rename, rm, stat } from 'node:fs/promises';
import { STANDARD_RESOURCE_CLASSES } from '../../placement/domain/standard-resource-classes';
import { STANDARD_TRAITS } from '../../placement/domain/standard-traits';
import { recordBodyOf } from '../../placement/inventories/inventories.schema';
import type { ProviderLink } from '../../placement/resource-providers/provider-links.writes';
import { TRANSFER_LIMITS } from '../../platform/config/limits/transfer';
import type { SqlReader } from '../../platform/database/sql';
import { chunks } from '../../platform/database/sql';
import { addTo } from '../../platform/values/lists-by-key';
import { compareText } from '../../platform/values/text-order';
import type { OwnProvider } from '../export/berth-rows';
import { BerthRows } from '../export/berth-rows';
import type { NameTable } from '../name-tables';
import type { Progress } from '../progress';
import type { ConsumerRecord, InventoryRecordLine, ProviderRecord, TransferRecord } from './records';
import { FORMAT, FORMAT_VERSION } from './records';

/** The caller provides a snapshot. Returns the number of lines written. */
export async function writeJsonLines(
  sql: SqlReader,
  path: string,
  isReplacing: boolean,
  progress: Progress,
): Promise<number> {
  if (!isReplacing && (await isThere(path))) throw new Error(`${path} is there already: --replace overwrites it`);
  const part = `${path}.part`;
  const file = await open(part, 'w');
  try {
    const lines = await new JsonLinesExport(new BerthRows(sql), file, progress).run();
    await file.sync();
    await file.close();
    await rename(part, path);
    return lines;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(part, { force: true });
    throw error;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

const STANDARD: ReadonlySet<string> = new Set([...STANDARD_RESOURCE_CLASSES, ...STANDARD_TRAITS]);

class JsonLinesExport {
  private lines = 0;
  private readonly classes = new Map<number, string>();
  private readonly traits = new Map<number, string>();

  constructor(
    private readonly rows: BerthRows,
    private readonly file: FileHandle,
    private readonly progress: Progress,
  ) {}

  async run(): Promise<number> {
    const counts = {
      providers: await this.rows.count('resource_providers'),
      consumers: await this.rows.count('consumers'),
    };
    await this.write([{ record: 'header', format: FORMAT, version: FORMAT_VERSION, counts }]);
    await this.writeNames('resource_classes', 'resource_class', this.classes);
    await this.writeNames('traits', 'trait', this.traits);
    const uuids = await this.writeProviders(counts.providers);
    await this.writeConsumers(counts.consumers, uuids);
    this.progress.end();
    return this.lines;
  }

  private async writeNames(
    table: NameTable,
    record: 'resource_class' | 'trait',
    names: Map<number, string>,
  ): Promise<void> {
    const others: TransferRecord[] = [];
    for await (const page of this.rows.names(table)) {
      for (const { id, name, createdAtMs, updatedAtMs } of page) {
        names.set(id, name);
        if (!STANDARD.has(name)) others.push({ record, name, created_at: createdAtMs, updated_at: updatedAtMs });
      }
    }
    await this.write(others.sort((a, b) => compareText((a as { name: string }).name, (b as { name: string }).name)));
  }

  /** Returns the uuids by id. */
  private async writeProviders(count: number): Promise<ReadonlyMap<number, string>> {
    this.progress.stage('providers', count);
    const aggregates = await this.namesOf('placement_aggregates');
    const providers: OwnProvider[] = [];
    for await (const page of this.rows.providers()) for (const provider of page) providers.push(provider);
    if (providers.length > TRANSFER_LIMITS.providers) {
      throw new Error(`more than ${TRANSFER_LIMITS.providers} resource providers cannot be exported`);
    }
    const uuids = new Map(providers.map(({ id, uuid }) => [id, uuid]));
    providers.sort((a, b) => compareText(a.uuid, b.uuid));
    for (const part of chunks(providers, TRANSFER_LIMITS.providersPerWrite)) {
      const ids = part.map(({ id }) => id);
      const inventories = new Map<number, [string, InventoryRecordLine][]>();
      for (const row of await this.rows.inventoriesOf(ids)) {
        const line = { ...recordBodyOf(row), created_at: row.createdAtMs, updated_at: row.updatedAtMs };
        addTo(inventories, row.providerId, [this.classes.get(row.classId) ?? '', line]);
      }
      const traits = groupedNames(await this.rows.linksOf('traits', ids), this.traits);
      const groups = groupedNames(await this.rows.linksOf('aggregates', ids), aggregates);
      await this.write(
        part.map((provider): ProviderRecord => ({
          record: 'provider',
          uuid: provider.uuid,
          name: provider.name,
          parent: provider.parentId === null ? null : (uuids.get(provider.parentId) ?? null),
          generation: provider.generation,
          inventories: Object.fromEntries((inventories.get(provider.id) ?? []).sort(([a], [b]) => compareText(a, b))),
          traits: traits.get(provider.id) ?? [],
          aggregates: groups.get(provider.id) ?? [],
          created_at: provider.createdAtMs,
          updated_at: provider.updatedAtMs,
        })),
      );
      this.progress.advance(part.length);
    }
    return uuids;
  }

  private async writeConsumers(count: number, providers: ReadonlyMap<number, string>): Promise<void> {
    this.progress.stage('consumers', count);
    const [projects, users] = [await this.namesOf('projects'), await this.namesOf('users')];
    const types = await this.namesOf('consumer_types');
    for await (const page of this.rows.consumers()) {
      const allocationsByProvider = new Map<number, Record<string, Record<string, number>>>(
        page.map(({ id }) => [id, {}]),
      );
      for (const row of await this.rows.allocationsOf(page.map(({ id }) => id))) {
        const ofConsumer = allocationsByProvider.get(row.consumerId) ?? {};
        const uuid = providers.get(row.providerId) ?? '';
        (ofConsumer[uuid] ??= {})[this.classes.get(row.classId) ?? ''] = row.used;
      }
      await this.write(
        page.map((consumer): ConsumerRecord => ({
          record: 'consumer',
          uuid: consumer.uuid,
          project: projects.get(consumer.projectId) ?? '',
          user: users.get(consumer.userId) ?? '',
          type: consumer.typeId === null ? null : (types.get(consumer.typeId) ?? null),
          generation: consumer.generation,
          allocations: sortedDeep(allocationsByProvider.get(consumer.id) ?? {}),
          created_at: consumer.createdAtMs,
          updated_at: consumer.updatedAtMs,
        })),
      );
      this.progress.advance(page.length);
    }
  }

  private async namesOf(table: NameTable): Promise<ReadonlyMap<number, string>> {
    const names = new Map<number, string>();
    for await (const page of this.rows.names(table)) {
      for (const { id, name } of page) names.set(id, name);
      if (names.size > TRANSFER_LIMITS.names) throw new Error(`the table ${table} has too many rows to be exported`);
    }
    return names;
  }

  private async write(records: readonly TransferRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.file.write(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    this.lines += records.length;
  }
}

function groupedNames(
  links: readonly ProviderLink[],
  names: ReadonlyMap<number, string>,
): ReadonlyMap<number, string[]> {
  const grouped = new Map<number, string[]>();
  for (const { providerId, id } of links) {
    addTo(grouped, providerId, names.get(id) ?? '');
  }
  for (const each of grouped.values()) each.sort(compareText);
  return grouped;
}

const sorted = <T>(object: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => compareText(a, b)));

const sortedDeep = (
  allocations: Readonly<Record<string, Readonly<Record<string, number>>>>,
): Readonly<Record<string, Readonly<Record<string, number>>>> =>
  sorted(Object.fromEntries(Object.entries(allocations).map(([uuid, amounts]) => [uuid, sorted(amounts)])));
