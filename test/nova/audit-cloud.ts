// nova's databases and a service with allocations and aggregates that agree with them, for suites of the audit.
import { Audit } from '../../src/nova/audit/audit';
import { DatabaseRecords } from '../../src/nova/audit/database-records';
import type { NovaRecords } from '../../src/nova/audit/database-records';
import type { AuditFinding } from '../../src/nova/audit/findings';
import { NovaCells } from '../../src/nova/cells/nova-cells';
import type { NovaDatabase } from '../../src/nova/conf/database-url';
import { novaDatabaseOf } from '../../src/nova/conf/database-url';
import { AggregatesService } from '../../src/placement/aggregates/aggregates.service';
import { AllocationsService } from '../../src/placement/allocations/allocations.service';
import { ProviderTraitsService } from '../../src/placement/provider-traits/provider-traits.service';
import { ResourceProvidersService } from '../../src/placement/resource-providers/resource-providers.service';
import { clear } from '../e2e/scheduler-cloud';
import type { TestService } from '../support/service';
import type { NovaDatabases } from './nova-databases';

export type Node = 'cmp1' | 'cmp2' | 'cmp3';
export type Amounts = Readonly<Record<string, number>>;

/** Live instances of the fixture, on cmp1 and cmp2. */
export const PINNED = '1a6d2a4b-7c1f-4b0e-9f5d-0c3e5a7b9d01';
export const SMALL = '2b7e3b5c-8d20-4c1f-8a6e-1d4f6b8cae02';
export const PINNED_AMOUNTS: Amounts = { PCPU: 2, MEMORY_MB: 2048, DISK_GB: 20 };
export const SMALL_AMOUNTS: Amounts = { VCPU: 1, MEMORY_MB: 512, DISK_GB: 5 };
/** The fixture's aggregate, and one that only Placement has. */
export const AGGREGATE = 'd4070959-9eb9-42f2-906c-7a2d234285bb';
export const FOREIGN_AGGREGATE = '00000000-0000-4000-8000-000000000006';

export interface Found {
  readonly findings: readonly AuditFinding[];
  readonly leftOut: readonly string[];
}

export class AuditCloud {
  private constructor(
    readonly nova: NovaDatabases,
    readonly service: TestService,
    /** Root providers. */
    readonly nodes: Readonly<Record<Node, string>>,
  ) {}

  /** Replaces what the service has. */
  static async load(nova: NovaDatabases, service: TestService): Promise<AuditCloud> {
    await clear(service);
    await nova.reset();
    await addAuditedTables(nova);
    const rows = await nova.run('SELECT host, uuid FROM cell1.compute_nodes WHERE deleted = 0');
    const nodes = Object.fromEntries(rows.map((row: { host: string; uuid: string }) => [row.host, row.uuid]));
    const cloud = new AuditCloud(nova, service, nodes as AuditCloud['nodes']);
    for (const name of ['cmp1', 'cmp2', 'cmp3'] as const) await cloud.report(name);
    await cloud.put(PINNED, { cmp1: PINNED_AMOUNTS });
    await cloud.put(SMALL, { cmp2: SMALL_AMOUNTS });
    for (const name of ['cmp1', 'cmp2'] as const) await cloud.setTraits(name, ['COMPUTE_NODE']);
    await cloud.setTraits('cmp3', ['COMPUTE_NODE', 'COMPUTE_STATUS_DISABLED']);
    await cloud.setAggregates('cmp1', [AGGREGATE]);
    await cloud.setAggregates('cmp2', [AGGREGATE, FOREIGN_AGGREGATE]);
    return cloud;
  }

  private report(name: Node): Promise<void> {
    const inventories = {
      VCPU: { total: 8 },
      PCPU: { total: 8 },
      MEMORY_MB: { total: 16_384 },
      DISK_GB: { total: 500 },
    };
    return this.create({ uuid: this.nodes[name], name }, inventories);
  }

  /** A provider with inventories and traits, as nova-compute makes it. */
  async create(
    provider: { readonly uuid: string; readonly name: string; readonly parent_provider_uuid?: string },
    inventories: object = {},
    traits: readonly string[] = [],
  ): Promise<void> {
    const path = `/resource_providers/${provider.uuid}`;
    expect((await this.service.request({ method: 'POST', path: '/resource_providers', body: provider })).status).toBe(
      200,
    );
    const body = { resource_provider_generation: 0, inventories };
    expect((await this.service.request({ method: 'PUT', path: `${path}/inventories`, body })).status).toBe(200);
    if (traits.length > 0) await this.setTraits(provider.uuid, traits);
  }

  /** The uuid of a node; another uuid stands for itself. */
  private idOf(name: string): string {
    return this.nodes[name as Node] ?? name;
  }

  async setTraits(name: string, traits: readonly string[]): Promise<void> {
    const path = `/resource_providers/${this.idOf(name)}/traits`;
    const { json } = await this.service.request({ path });
    const body = { traits, resource_provider_generation: json.resource_provider_generation };
    expect((await this.service.request({ method: 'PUT', path, body })).status).toBe(200);
  }

  async traitsOf(name: Node): Promise<readonly string[]> {
    const { json } = await this.service.request({ path: `/resource_providers/${this.nodes[name]}/traits` });
    return [...json.traits].sort();
  }

  private async generationOf(consumer: string): Promise<number | null> {
    const { json } = await this.service.request({ path: `/allocations/${consumer}` });
    return json.consumer_generation ?? null;
  }

  async put(consumer: string, amounts: Readonly<Record<string, Amounts>>, type = 'INSTANCE'): Promise<void> {
    const allocations = Object.fromEntries(
      Object.entries(amounts).map(([name, resources]) => [this.idOf(name), { resources }]),
    );
    const { status, text } = await this.service.request({
      method: 'PUT',
      path: `/allocations/${consumer}`,
      ...(type === '' && { version: '1.36' }),
      body: {
        allocations,
        project_id: 'project',
        user_id: 'user',
        consumer_generation: await this.generationOf(consumer),
        ...(type !== '' && { consumer_type: type }),
      },
    });
    if (status !== 204) throw new Error(text);
  }

  async held(consumer: string): Promise<Readonly<Record<string, Amounts>>> {
    const { json } = await this.service.request({ path: `/allocations/${consumer}` });
    const names = Object.fromEntries(Object.entries(this.nodes).map(([name, id]) => [id, name]));
    return Object.fromEntries(
      Object.entries(json.allocations).map(([id, { resources }]: [string, any]) => [names[id] ?? id, resources]),
    );
  }

  async setAggregates(name: Node, aggregates: readonly string[]): Promise<void> {
    const path = `/resource_providers/${this.nodes[name]}/aggregates`;
    const { json } = await this.service.request({ path });
    const body = { aggregates, resource_provider_generation: json.resource_provider_generation };
    expect((await this.service.request({ method: 'PUT', path, body })).status).toBe(200);
  }

  async aggregatesOf(name: Node): Promise<readonly string[]> {
    const { json } = await this.service.request({ path: `/resource_providers/${this.nodes[name]}/aggregates` });
    return [...json.aggregates].sort();
  }

  async audited(isToFix = false, wrap: (records: NovaRecords) => NovaRecords = (records) => records): Promise<Found> {
    const apiDatabase = databaseOf(this.nova.url(this.nova.api));
    const records = new DatabaseRecords(await NovaCells.open({ apiDatabase, templateBase: this.nova.templateBase }));
    const findings: AuditFinding[] = [];
    try {
      const { app } = this.service;
      const audit = new Audit({
        records: wrap(records),
        allocations: app.get(AllocationsService, { strict: false }),
        aggregates: app.get(AggregatesService, { strict: false }),
        providers: app.get(ResourceProvidersService, { strict: false }),
        traits: app.get(ProviderTraitsService, { strict: false }),
        isToFix,
      });
      for await (const finding of audit.findings()) findings.push(finding);
      return { findings, leftOut: audit.leftOut.map(({ reason }) => reason) };
    } finally {
      records.close();
    }
  }
}

function databaseOf(url: string): NovaDatabase {
  const parsed = novaDatabaseOf(url);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.database;
}

/** Tables that only an audit reads; the fixture does not have all of them. */
async function addAuditedTables(nova: NovaDatabases): Promise<void> {
  await nova.run(
    `CREATE TABLE api.instance_mappings (id int AUTO_INCREMENT PRIMARY KEY, instance_uuid varchar(36) NOT NULL UNIQUE,
     cell_id int, project_id varchar(255), queued_for_delete tinyint(1))`,
  );
  await nova.run(
    `CREATE TABLE cell1.block_device_mapping (id int AUTO_INCREMENT PRIMARY KEY, instance_uuid varchar(36),
     destination_type varchar(255), boot_index int, deleted int)`,
  );
  await nova.run(`GRANT SELECT ON api.instance_mappings TO '${nova.user}'@'%'`);
  for (const table of ['migrations', 'instance_extra', 'instance_system_metadata', 'block_device_mapping']) {
    await nova.run(`GRANT SELECT ON cell1.${table} TO '${nova.user}'@'%'`);
  }
}
