// All families of one process, and their values when somebody asks. A source that fails or takes too long leaves its
// family out and is counted; the rest is answered.
import { METRICS_LIMITS } from '../config/limits';
import type { WarnLog } from '../logging/logger.token';
import { turns } from '../turns/turns';
import { within } from '../turns/within';
import { counter, one, readFamily } from './family';
import type { MetricDocument, MetricFamily } from './family';
import { processDocuments } from './process.metrics';

export class Metrics {
  readonly families: readonly MetricFamily[];
  private failures = 0;

  constructor(
    families: readonly MetricFamily[],
    private readonly log: WarnLog,
  ) {
    const unread = counter({
      name: 'berth_metrics_unread_total',
      help: 'Families that were left out of an answer because their source failed or took too long.',
      read: () => one(this.failures),
    });
    this.families = [...families, unread];
  }

  /** Of this process alone. Never fails. */
  async documents(): Promise<readonly MetricDocument[]> {
    const own = await Promise.all(this.families.map((family) => this.read(family)));
    return [...own.filter((document) => document !== undefined), ...(await processDocuments())];
  }

  private async read(family: MetricFamily): Promise<MetricDocument | undefined> {
    try {
      return await within(METRICS_LIMITS.readMs, readInTurns(family), () => {
        throw new Error('its source took too long');
      });
    } catch (error) {
      this.failures += 1;
      this.log.warn({ metric: family.name, reason: (error as Error).message }, 'a metric could not be read');
      return undefined;
    }
  }
}

const readInTurns = async (family: MetricFamily): Promise<MetricDocument> => turns.runThrough(await readFamily(family));
