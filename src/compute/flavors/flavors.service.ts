// Operations on flavors. An instance keeps a copy of its flavor, so a flavor in use can change, but cannot be deleted.
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { Database } from '../../platform/database/database';
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { FIELD_RULES } from '../../platform/values/field-fault';
import type { Warning } from '../definition-rules';
import { DefinitionRules } from '../definition-rules';
import type { Registered } from '../registered.entity';
import type { Change, Written } from '../registry';
import { given, Registry } from '../registry';
import type { Condition } from '../registry-page.sql';
import { equal } from '../registry-page.sql';
import { invalidField } from '../registry-refusals';
import type { MergeMap } from '../registry-schema';
import { merged } from '../registry-schema';
import { RegisteredFlavor } from './flavor.entity';

export type FlavorDefinition = Omit<RegisteredFlavor, keyof Registered | 'id'>;

/** Extra specs are merged; null removes a spec. */
interface FlavorChange extends Change<Omit<FlavorDefinition, 'extraSpecs'>> {
  readonly extraSpecs?: MergeMap | undefined;
}

export interface FlavorFilter {
  readonly name?: string | undefined;
  /** Minimum amounts. */
  readonly minRamMb?: number | undefined;
  readonly minDiskGb?: number | undefined;
}

@Injectable()
export class FlavorsService extends Registry<RegisteredFlavor, FlavorDefinition, FlavorFilter> {
  constructor(
    db: Database,
    @InjectRepository(RegisteredFlavor) rows: Repository<RegisteredFlavor>,
    private readonly rules: DefinitionRules,
  ) {
    super(db, rows, { entity: RegisteredFlavor, key: 'id', what: 'a flavor', documentKind: 'flavor' });
  }

  /** The flavor with this id, or else the flavor with this name. Runs one statement. */
  async named(sql: SqlReader, idOrName: string): Promise<RegisteredFlavor | undefined> {
    const found = await this.select(sql, 'flavor_id = ? OR name = ?', [idOrName, idOrName]);
    return found.find(({ id }) => id === idOrName) ?? found[0];
  }

  /** Throws not_found, generation_conflict, invalid_request, duplicate_name. */
  change(id: string, generation: number | undefined, change: FlavorChange): Promise<Written<RegisteredFlavor>> {
    return this.rewrite(id, generation, (before) => ({
      ...given(before, change),
      extraSpecs: merged(before.extraSpecs, change.extraSpecs ?? {}),
    }));
  }

  protected conditionsOf({ name, minRamMb, minDiskGb }: FlavorFilter): readonly Condition[] {
    const least = (column: string, amount: number | undefined): readonly Condition[] =>
      amount === undefined ? [] : [[`${column} >= ?`, [amount]]];
    return [...equal({ name }), ...least('memory_mb', minRamMb), ...least('root_gb', minDiskGb)];
  }

  protected async checkIn(tx: WriteTx, _id: string, flavor: FlavorDefinition): Promise<readonly Warning[]> {
    if (Object.keys(flavor.extraSpecs).length > SCHEDULER_LIMITS.keysPerDocument) {
      throw invalidField('extra_specs', FIELD_RULES.entries('most', SCHEDULER_LIMITS.keysPerDocument));
    }
    return this.rules.checkFlavor(tx, flavor);
  }

  protected override whenTaken(id: string, { name }: FlavorDefinition): string {
    return `A flavor is called ${name} already, or has the id ${id}.`;
  }
}
