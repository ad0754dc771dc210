// Hosts from what Placement knows: every root provider is a host named like it, and its instances are the consumers
// with an allocation anywhere in its tree.
import { Injectable } from '@nestjs/common';
import { Database } from '../../database/database';
import { chunks, marks } from '../../database/sql';
import type { HostRow, HostSource } from '../ports';

interface Row {
  readonly uuid: string;
  readonly name: string;
  readonly consumer: string | null;
}

const ROOTS_PER_STATEMENT = 1_000;

@Injectable()
export class InventoryHostSource implements HostSource {
  constructor(private readonly db: Database) {}

  load(rootUuids: readonly string[]): Promise<readonly HostRow[]> {
    return this.db.read(async (sql) => {
      const hosts = new Map<string, HostRow & { instances: string[] }>();
      for (const part of chunks(rootUuids, ROOTS_PER_STATEMENT)) {
        const rows = await sql.query<Row>(
          'SELECT DISTINCT root.uuid, root.name, c.uuid AS consumer FROM resource_providers root ' +
            'JOIN resource_providers p ON p.root_provider_id = root.id ' +
            'LEFT JOIN allocations a ON a.resource_provider_id = p.id LEFT JOIN consumers c ON c.id = a.consumer_id ' +
            `WHERE root.uuid IN (${marks(part.length)})`,
          part,
        );
        for (const { uuid, name, consumer } of rows) {
          const host = hosts.get(uuid) ?? { uuid, host: name, node: name, instances: [] };
          hosts.set(uuid, host);
          if (consumer !== null) host.instances.push(consumer);
        }
      }
      return [...hosts.values()];
    });
  }
}
