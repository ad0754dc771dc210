// Allocations of consumers in a Placement service that runs elsewhere. The generation of the consumer guards every write.

import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Candidate } from '../../placement/candidate-search';
import { Database } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import { InvalidInput, Unavailable } from '../../platform/values/errors';
import { isJsonObject } from '../../platform/values/json-object';
import { compareText } from '../../platform/values/text-order';
import type { ConsumerStore, StoredAllocations } from '../ports';
import type { RemoteAnswer } from './remote-placement';
import { RemotePlacement } from './remote-placement';

type Root = Pick<StoredRoot, 'uuid' | 'name'>;

interface StoredRoot {
  readonly uuid: string;
  readonly name: string;
}

/** One write of all allocations of a consumer; `generation` is null for a new one. */
interface RemoteWrite {
  readonly consumerUuid: string;
  readonly allocations: Candidate['allocations'];
  readonly projectId: string;
  readonly userId: string;
  readonly generation: number | null;
}

/** `consumer`: its generation differs. `concurrent`: another request wrote to a provider; a retry can succeed. */
type WriteOutcome = 'written' | 'consumer' | 'concurrent' | 'refused';

/** Members of one server group: nova's default quota is 10. */
const CONSUMERS_MAX = 1_000;
const QUESTIONS_AT_ONCE = 8;
/** Roots of providers that are remembered. */
const ROOTS_KEPT = 20_000;
const RESTORE_TRIES = 5;
/** A consumer without allocations. Its first claim makes its generation 1. */
const IS_EMPTY = /consumer generation conflict - expected 0 but got None/;

@Injectable()
export class RemoteConsumers implements ConsumerStore {
  /** The root of a provider does not change while it has allocations. */
  private readonly roots = new LRUCache<string, Root>({ max: ROOTS_KEPT });

  constructor(
    private readonly placement: RemotePlacement,
    private readonly db: Database,
  ) {}

  async find(consumerUuid: string): Promise<StoredAllocations | undefined> {
    const { json } = await this.answered(`/allocations/${consumerUuid}`);
    const { allocations, consumer_generation: generation, project_id: projectId, user_id: userId } = json;
    if (!isJsonObject(allocations)) throw new Unavailable('Placement answers with allocations in an unknown form.');
    if (Object.keys(allocations).length === 0) return undefined;
    if (typeof generation !== 'number' || typeof projectId !== 'string' || typeof userId !== 'string') {
      throw new Unavailable('Placement answers with a consumer in an unknown form.');
    }
    const found = Object.entries(allocations).map(([uuid, each]) => {
      const resources = isJsonObject(each) && isJsonObject(each['resources']) ? each['resources'] : {};
      return [uuid, { resources: resources as Readonly<Record<string, number>> }] as const;
    });
    return { generation, projectId, userId, allocations: Object.fromEntries(found) };
  }

  async rootsOf(consumerUuids: readonly string[]): Promise<ReadonlyMap<string, readonly Root[]>> {
    if (consumerUuids.length > CONSUMERS_MAX) {
      throw new InvalidInput(
        `The server group has ${consumerUuids.length} members. With [nova] placement = remote, at most ${CONSUMERS_MAX} are located.`,
      );
    }
    const found = new Map<string, readonly Root[]>();
    await eachAtOnce(consumerUuids, async (consumer) => {
      const stored = await this.find(consumer);
      if (stored === undefined) return;
      const roots = new Map<string, Root>();
      for (const provider of Object.keys(stored.allocations)) {
        const root = await this.rootOf(provider);
        if (root !== undefined) roots.set(root.uuid, root);
      }
      found.set(consumer, [...roots.values()]);
    });
    return found;
  }

  async restore(
    consumerUuid: string,
    { generation, ...to }: StoredAllocations,
    also: (tx: WriteTx) => Promise<void>,
  ): Promise<boolean> {
    for (let tries = 1; ; tries += 1) {
      const { outcome, answer } = await this.write([{ ...to, consumerUuid, generation }]);
      if (outcome === 'consumer' && !(await this.wasWritten(answer, consumerUuid, to.allocations))) return false;
      if (outcome === 'written' || outcome === 'consumer') break;
      if (outcome === 'refused' || tries === RESTORE_TRIES) {
        throw new Unavailable(`Placement refuses the former allocations of ${consumerUuid}: ${answer.detail}`);
      }
    }
    await this.db.write(also);
    return true;
  }

  /** Writes all consumers or none. Throws Unavailable; OutcomeUnknown if the write was possibly executed. */
  async write(
    writes: readonly RemoteWrite[],
  ): Promise<{ readonly outcome: WriteOutcome; readonly answer: RemoteAnswer }> {
    const answer = await this.send(writes);
    const [only, ...others] = writes;
    // OpenStack's Placement keeps a consumer of generation 0 after it refused its first claim for a deleted provider.
    if (others.length === 0 && only?.generation === null && IS_EMPTY.test(answer.detail)) {
      const again = await this.send([{ ...only, generation: 0 }]);
      return { outcome: outcomeOf(again), answer: again };
    }
    return { outcome: outcomeOf(answer), answer };
  }

  private send(writes: readonly RemoteWrite[]): Promise<RemoteAnswer> {
    const [only, ...others] = writes;
    return only !== undefined && others.length === 0
      ? this.placement.ask({ method: 'PUT', path: `/allocations/${only.consumerUuid}`, body: bodyOf(only) })
      : this.placement.ask({
          method: 'POST',
          path: '/allocations',
          body: Object.fromEntries(writes.map((write) => [write.consumerUuid, bodyOf(write)])),
        });
  }

  /** A write that was sent twice conflicts with itself. */
  private async wasWritten(
    { isRepeated }: RemoteAnswer,
    consumerUuid: string,
    allocations: Candidate['allocations'],
  ): Promise<boolean> {
    if (!isRepeated) return false;
    return isSameAllocations((await this.find(consumerUuid))?.allocations ?? {}, allocations);
  }

  /** Undefined: the provider was deleted. */
  private async rootOf(uuid: string): Promise<Root | undefined> {
    const known = this.roots.get(uuid);
    if (known !== undefined) return known;
    const answer = await this.placement.ask({ method: 'GET', path: `/resource_providers/${uuid}` });
    if (answer.kind === 'not_found') return undefined;
    const { root_provider_uuid: root, name } = answer.json;
    if (typeof root !== 'string' || typeof name !== 'string') {
      throw new Unavailable(`Placement answers with provider ${uuid} in an unknown form.`);
    }
    const found = root === uuid ? { uuid, name } : await this.rootOf(root);
    if (found !== undefined) this.roots.set(uuid, found);
    return found;
  }

  private async answered(path: string): Promise<RemoteAnswer> {
    const answer = await this.placement.ask({ method: 'GET', path });
    if (answer.kind === 'ok') return answer;
    throw new Unavailable(`Placement answers GET ${path} with ${answer.status}: ${answer.detail}`);
  }
}

const bodyOf = ({ allocations, projectId, userId, generation }: RemoteWrite): object => ({
  allocations,
  project_id: projectId,
  user_id: userId,
  consumer_generation: generation,
});

function outcomeOf({ kind, code, detail }: RemoteAnswer): WriteOutcome {
  if (kind === 'ok') return 'written';
  if (kind !== 'conflict' || code !== 'placement.concurrent_update') return 'refused';
  return detail.includes('consumer generation conflict') ? 'consumer' : 'concurrent';
}

/** Same amounts from the same providers. */
export function isSameAllocations(one: Candidate['allocations'], other: Candidate['allocations']): boolean {
  const [first, second] = [amountsOf(one), amountsOf(other)];
  return first.length === second.length && first.every((amount, at) => amount === second[at]);
}

const amountsOf = (allocations: Candidate['allocations']): readonly string[] =>
  Object.entries(allocations)
    .flatMap(([uuid, { resources }]) => Object.entries(resources).map(([name, amount]) => `${uuid} ${name} ${amount}`))
    .sort(compareText);

async function eachAtOnce<T>(items: readonly T[], act: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const work = async (): Promise<void> => {
    for (const item of rest) await act(item);
  };
  await Promise.all(Array.from({ length: Math.min(QUESTIONS_AT_ONCE, items.length) }, work));
}
