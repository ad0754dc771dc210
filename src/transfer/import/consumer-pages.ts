// The reference's consumers in pages by their uuids. Uuids are the one key that both sides have: an allocation is deleted
// and inserted again by every write, so its row's id and times tell nothing, and a page shows what is gone as well.
import { TRANSFER_LIMITS } from '../../config/limits';
import { canonicalUuid } from '../../domain/uuid';
import type { Findings } from '../findings';
import type { ReferenceReader } from '../reference/reader';

/** Consumers behind `after`, up to `upTo` and with it; null: to the end. Both are spelled canonically. */
export interface ConsumerPage {
  readonly after: string;
  readonly upTo: string | null;
  /** Consumers of this page that the reference spells otherwise, which its own order has elsewhere. */
  readonly odd: readonly string[];
}

const isCanonical = (uuid: string): boolean => canonicalUuid(uuid) === uuid;

/** All pages, which leave no uuid between them out. */
export async function* consumerPages(reader: ReferenceReader, findings: Findings): AsyncGenerator<ConsumerPage> {
  const odd = (await reader.oddConsumers()).map((uuid) => ({ uuid, canonical: canonicalUuid(uuid) ?? '' }));
  for (const { uuid, canonical } of odd) if (canonical === '') findings.add('bad-uuid', `consumer ${uuid}`);
  const oddIn = (after: string, upTo: string | null): readonly string[] =>
    odd.filter(({ canonical }) => canonical > after && (upTo === null || canonical <= upTo)).map(({ uuid }) => uuid);
  let after = '';
  let read = '';
  for (;;) {
    const uuids = await reader.consumersAfter(read, TRANSFER_LIMITS.consumersPerPage);
    const last = uuids.at(-1);
    if (last === undefined || uuids.length < TRANSFER_LIMITS.consumersPerPage) {
      yield { after, upTo: null, odd: oddIn(after, null) };
      return;
    }
    // Pages end at canonical uuids, on whose order all databases agree.
    const upTo = uuids.findLast(isCanonical);
    read = last;
    if (upTo === undefined || upTo <= after) continue;
    yield { after, upTo, odd: oddIn(after, upTo) };
    after = upTo;
  }
}
