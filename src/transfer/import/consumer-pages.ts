// Pages of the reference's consumers by uuid, the only key that both databases share. The reference replaces allocation
// rows on every write, so their ids and times carry no information. A page by uuid also shows deleted consumers.
import { TRANSFER_LIMITS } from '../../platform/config/limits/transfer';
import { canonicalUuid } from '../../platform/values/uuid';
import type { Findings } from '../findings';
import type { ReferenceReader } from '../reference/reader';

/** Consumers after `after`, up to and including `upTo`; null means no upper bound. Both uuids are canonical. */
export interface ConsumerPage {
  readonly after: string;
  readonly upTo: string | null;
  /** Consumers of this page whose uuid in the reference is not canonical and therefore sorts elsewhere. */
  readonly nonCanonical: readonly string[];
}

const isCanonical = (uuid: string): boolean => canonicalUuid(uuid) === uuid;

/** Yields pages that together cover every uuid. */
export async function* consumerPages(reader: ReferenceReader, findings: Findings): AsyncGenerator<ConsumerPage> {
  const nonCanonical = (await reader.nonCanonicalConsumers()).map((uuid) => ({
    uuid,
    canonical: canonicalUuid(uuid) ?? '',
  }));
  for (const { uuid, canonical } of nonCanonical) if (canonical === '') findings.add('bad-uuid', `consumer ${uuid}`);
  const nonCanonicalIn = (after: string, upTo: string | null): readonly string[] =>
    nonCanonical
      .filter(({ canonical }) => canonical > after && (upTo === null || canonical <= upTo))
      .map(({ uuid }) => uuid);
  let after = '';
  let read = '';
  for (;;) {
    const uuids = await reader.consumersAfter(read, TRANSFER_LIMITS.consumersPerPage);
    const last = uuids.at(-1);
    if (last === undefined || uuids.length < TRANSFER_LIMITS.consumersPerPage) {
      yield { after, upTo: null, nonCanonical: nonCanonicalIn(after, null) };
      return;
    }
    // A page must end at a canonical uuid: all databases sort those in the same order.
    const upTo = uuids.findLast(isCanonical);
    read = last;
    if (upTo === undefined || upTo <= after) continue;
    yield { after, upTo, nonCanonical: nonCanonicalIn(after, upTo) };
    after = upTo;
  }
}
