// Makes plans: reads the cloud, and plans in a worker thread, because work of seconds must not block the event loop.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { flavorBody } from '../../compute/flavors/flavors.responses';
import { FlavorsService } from '../../compute/flavors/flavors.service';
import { invalidField } from '../../compute/registry-refusals';
import { Database } from '../../platform/database/database';
import { BoundedThreads } from '../../platform/event-loop/bounded-threads';
import { DomainError } from '../../platform/values/errors';
import type { SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import type { SchedulerCaller } from '../ports';
import type { PlanReply, PlanTask } from './make-plan';
import { replyTo } from './make-plan';
import type { PlanThreadData } from './plan.worker';
import type { PlanCommand, PlannedDocument } from './planning';
import { SnapshotReader } from './snapshot-reader';

export const PLAN_THREADS = Symbol('scheduler.PlanThreads');
type PlanThreads = Pick<BoundedThreads<PlanTask, PlanReply>, 'run'>;

/** In a worker thread if the compiled script exists; otherwise, when running from source, in this thread. */
export function planThreads(plugins: readonly SchedulerExtension[], directory: string): PlanThreads {
  const script = join(__dirname, 'plan.worker.js');
  if (!existsSync(script)) return { run: async (make) => replyTo((await make()).task, plugins) };
  const workerData: PlanThreadData = { plugins: plugins.map(({ source }) => source), directory };
  return new BoundedThreads({ script, workerData, name: 'plan', advice: 'plan for fewer hosts' });
}

@Injectable()
export class PlanningService {
  constructor(
    private readonly db: Database,
    private readonly flavors: FlavorsService,
    private readonly snapshots: SnapshotReader,
    @Inject(PLAN_THREADS) private readonly threads: PlanThreads,
  ) {}

  /** Throws InvalidInput with the path of a field that names something unknown, and for too large a cloud. */
  async plan(command: PlanCommand, caller: SchedulerCaller): Promise<PlannedDocument> {
    const flavor = await this.flavorOf(command.flavor);
    const reply = await this.threads.run(async () => {
      const snapshot = await this.snapshots.read(caller);
      const buffers = snapshot.parts.map(({ buffer }) => buffer);
      return { task: { snapshot, command: { ...command, flavor } }, buffers };
    }, caller);
    if ('document' in reply) return reply.document;
    throw new DomainError('scheduler.invalid_request', reply.refusal);
  }

  private async flavorOf(given: PlanCommand['flavor']): Promise<object | null> {
    if (typeof given !== 'string') return given;
    const found = await this.db.read((sql) => this.flavors.named(sql, given));
    if (found === undefined) throw invalidField('flavor', `is '${given}', which is not a registered flavor`);
    return flavorBody(found);
  }
}
