// `berth why HOST --flavor F`: shows the result of one host in a decision that is made now, without a claim.
import type { DecisionDocument } from '../../scheduler/decisions/decision.presenter';
import type { CommandStreams } from '../command-context';
import { CommandFailed, EXIT } from '../command-context';
import { printDocument } from './printing';
import type { RequestOptions } from './remote-command';
import type { ServiceClient } from './service-client';

/** Required fields of the request. Rules that depend on the project are not checked here. */
const PLACEHOLDER_OWNER = { project_id: 'berth-why', user_id: 'berth-why' };

interface Explained {
  readonly decision: DecisionDocument;
}

interface Rejections {
  readonly hosts: readonly { readonly host: string; readonly code: string; readonly message: string }[];
}

/** Exit code 0 if the host passes, otherwise 1. */
export async function showWhy(
  client: ServiceClient,
  streams: CommandStreams,
  host: string,
  { flavor, image, zone, output }: RequestOptions,
): Promise<number> {
  const explained = await client.post<Explained>(`/scheduler/explain?host=${encodeURIComponent(host)}`, {
    ...PLACEHOLDER_OWNER,
    flavor,
    ...(image !== undefined && { image }),
    ...(zone !== undefined && { availability_zone: zone }),
    num_instances: 1,
    explain: 'all',
  });
  const { outcome, summary } = explained.decision;
  if (outcome !== 'placed' && outcome !== 'no_valid_host') throw new CommandFailed(summary.sentence);
  const verdict = verdictOf(explained, host);
  const text = (): string => `${verdict.lines.join('\n')}\n\n${summary.sentence}\n`;
  printDocument(streams, { output }, explained, { text });
  return verdict.passes ? EXIT.done : EXIT.failed;
}

interface Verdict {
  readonly passes: boolean;
  readonly lines: readonly string[];
}

/** Law: every host is in exactly one place: rejected by Placement, rejected by one stage, or ranked. */
function verdictOf({ decision: { placement, passes } }: Explained, host: string): Verdict {
  const [first] = passes;
  const ofHost = (rejections: Rejections | null | undefined): readonly string[] =>
    (rejections?.hosts ?? []).filter((each) => each.host === host).map(({ code, message }) => `${message} (${code})`);
  const byPlacement = ofHost(placement?.rejections);
  if (byPlacement.length > 0)
    return { passes: false, lines: [`${host} is no candidate of Placement:`, ...byPlacement] };
  const stages = first?.stages ?? [];
  const rejected = stages.flatMap(({ name, rejections }) => ofHost(rejections).map((line) => `${name}: ${line}`));
  const also = stages.flatMap(({ name, also_rejects: more }) => ofHost(more).map((line) => `${name}, too: ${line}`));
  if (rejected.length > 0) return { passes: false, lines: [`${host} was filtered out:`, ...rejected, ...also] };
  const rank = first?.ranking.find((each) => each.host === host);
  if (first === undefined || rank === undefined) {
    return { passes: false, lines: [`${host} is no compute host, or Placement was not asked about it.`] };
  }
  const isChosen = first.selected?.host === host;
  const chosen = isChosen ? 'and is the best' : `but ${first.selected?.host ?? 'none'} is better`;
  return {
    passes: true,
    lines: [`${host} passes with weight ${rank.weight} of ${first.ranked} ranked hosts, ${chosen}.`],
  };
}
