// Finds the latest decisions that mention a host. An index finds decisions that selected or tried the host. Rejected
// hosts are only in the documents, so the newest documents are read and their mentions are cached.
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { REPORT_LIMITS } from '../../platform/config/limits/reports';
import { DecisionStore } from '../../scheduler/decisions/decision-store';
import type { DecisionRow } from '../../scheduler/decisions/decision.entity';
import type { DecisionDocument } from '../../scheduler/decisions/decision.presenter';

/** Decisions shown of one host; newest decisions of the cloud that are searched; maximum size of a document. */
const DECISIONS_SHOWN = 20;
const DECISIONS_READ = 50;
const DECISION_BYTES = 64 * 1024;

export const VERDICTS = ['selected', 'alternate', 'rejected', 'passed'] as const;
type Verdict = (typeof VERDICTS)[number];

/** The verdict of one decision on one host. */
interface Mention {
  readonly verdict: Verdict;
  /** The filter that rejected the host, or `placement`. */
  readonly by: string | null;
  readonly code: string | null;
  readonly message: string | null;
}

export interface MentioningDecision extends Mention {
  readonly decision: DecisionRow;
}

/** By name of the host. */
type Mentions = ReadonlyMap<string, Mention>;

const NO_MENTIONS: Mentions = new Map();

@Injectable()
export class DecisionMentions {
  private readonly remembered = new LRUCache<string, Mentions>({ max: REPORT_LIMITS.decisionsRemembered });

  constructor(private readonly decisions: DecisionStore) {}

  /** The newest first. `host` is the name by which the scheduler knows it, `root` that of its provider. */
  async of({ host, root }: { readonly host: string; readonly root: string }): Promise<readonly MentioningDecision[]> {
    const page = { limit: DECISIONS_READ, marker: undefined };
    const [newest, about] = [
      await this.decisions.list({}, page),
      await this.decisions.list({ host }, { ...page, limit: DECISIONS_SHOWN }),
    ];
    const rows = new Map([...newest.items, ...about.items].map((row) => [row.requestId, row]));
    const found: MentioningDecision[] = [];
    for (const decision of [...rows.values()].sort((a, b) => b.atMs - a.atMs)) {
      if (found.length === DECISIONS_SHOWN) break;
      const said = await this.mentionsOf(decision);
      const mention = said.get(host) ?? said.get(root);
      if (mention !== undefined) found.push({ ...mention, decision });
    }
    return found;
  }

  private async mentionsOf({ requestId, atMs }: DecisionRow): Promise<Mentions> {
    const key = `${requestId} ${atMs}`;
    let known = this.remembered.get(key);
    if (known === undefined) {
      const document = await this.decisions.read(requestId, DECISION_BYTES);
      known = document === undefined ? NO_MENTIONS : mentionsIn(document);
      this.remembered.set(key, known);
    }
    return known;
  }
}

/** Later verdicts win: a host can be selected for one instance of a request and rejected for another one. */
export function mentionsIn({ placement, passes }: DecisionDocument): Mentions {
  const said = new Map<string, Mention>();
  const say = (host: string, verdict: Verdict, why: Partial<Mention> = {}): void => {
    if (said.size < REPORT_LIMITS.hostsRemembered || said.has(host)) {
      said.set(host, { by: null, code: null, message: null, ...why, verdict });
    }
  };
  for (const { host, code, message } of placement?.rejections?.hosts ?? []) {
    say(host, 'rejected', { by: 'placement', code, message });
  }
  for (const { stages } of passes) {
    for (const { name: by, rejections } of stages) {
      for (const { host, code, message } of rejections.hosts) say(host, 'rejected', { by, code, message });
    }
  }
  for (const { ranking } of passes) for (const { host } of ranking) say(host, 'passed');
  for (const { alternates } of passes) for (const { host } of alternates) say(host, 'alternate');
  for (const { selected } of passes) if (selected !== null) say(selected.host, 'selected');
  return said;
}
