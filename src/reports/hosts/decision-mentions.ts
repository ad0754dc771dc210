// The verdicts of the last decisions on a host. An index finds recorded decisions by the hosts that they chose or tried.
// Rejected hosts are in the documents only, so the newest documents are searched, and their verdicts are cached.
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { REPORT_LIMITS } from '../../platform/config/limits';
import type { DecisionRow } from '../../scheduler/decisions/decision.entity';
import type { DecisionDocument } from '../../scheduler/decisions/decision.presenter';
import { DecisionStore } from '../../scheduler/decisions/decision-store';

/** Decisions shown of one host; newest ones of the cloud that are looked through for it; and documents that are not. */
const DECISIONS_SHOWN = 20;
const DECISIONS_READ = 50;
const DECISION_BYTES = 64 * 1024;

export const VERDICTS = ['selected', 'alternate', 'rejected', 'passed'] as const;
type Verdict = (typeof VERDICTS)[number];

/** The verdict of one decision on one host. */
interface Mention {
  readonly verdict: Verdict;
  /** Who rejected it: a filter, or `placement`. */
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

/** The last verdict counts: a host that was chosen takes precedence over a rejection for another instance. */
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
