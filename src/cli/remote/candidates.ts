// `berth candidates CLASS=AMOUNT...`: prints one row for each provider of each candidate.
import type { Schema } from '../../../client/src/routes.ts';
import { CLI_LIMITS } from '../../platform/config/limits/processes';
import { CommandFailed, EXIT } from '../command-context';
import type { TableRow } from '../table';
import { askInParts } from './listed';
import type { Action, Printing } from './printing';
import { printListing } from './printing';
import { amountsText, readable } from './readable';
import type { ServiceClient } from './service-client';

interface CandidateOptions extends Printing {
  readonly required: readonly string[];
  readonly forbidden: readonly string[];
  readonly memberOf?: string;
  readonly limit: number;
}

type Candidates = Schema<'AllocationCandidates'>;
type Explained = Schema<'CandidatesExplanation'>;

/** Exit code 1 if there is no candidate. */
export const showCandidates: Action<CandidateOptions> = async (client, streams, options, resources) => {
  const { required, forbidden, memberOf, limit, output } = options;
  const traits = [...required, ...forbidden.map((trait) => `!${trait}`)];
  const query = {
    resources: resources.map(pairOf).join(','),
    limit: String(limit),
    ...(traits.length > 0 && { required: traits.join(',') }),
    ...(memberOf !== undefined && { member_of: memberOf }),
  };
  const found = await client.get<Candidates>('/allocation_candidates', query).catch(async (error: unknown) => {
    // It refuses the same requests, and its message suggests the nearest name.
    await client.get<Explained>('/allocation_candidates/explain', query);
    throw error;
  });
  const { allocation_requests: requests } = found;
  const isListed = output !== 'json' && output !== 'yaml';
  const isEmpty = requests.length === 0;
  printListing(streams, options, {
    document: found,
    columns: ['candidate', 'provider', 'resources', 'uuid'],
    rows: isListed ? await rowsOf(client, requests) : [],
    name: 'provider',
    empty: isEmpty && isListed ? whyEmpty(await client.get<Explained>('/allocation_candidates/explain', query)) : '',
  });
  return isEmpty ? EXIT.failed : EXIT.done;
};

/** Changes that are listed. */
const FIXES_SHOWN = 5;

/** Why nothing fits, and the changes that give hosts a candidate. */
function whyEmpty({ sentence, fixes }: Explained): string {
  const head = sentence ?? 'Nothing fits. For the reasons, request GET /allocation_candidates/explain.';
  return [head, ...fixes.slice(0, FIXES_SHOWN).map(({ text }) => `  ${text}`)].map(readable).join('\n');
}

function pairOf(given: string): string {
  const [, resourceClass, amount] = /^([A-Z0-9_]+)[=:](\d+)$/.exec(given) ?? [];
  if (resourceClass === undefined) throw new CommandFailed(`"${given}" is not CLASS=AMOUNT, as VCPU=2.`);
  return `${resourceClass}:${amount}`;
}

async function rowsOf(
  client: ServiceClient,
  requests: Candidates['allocation_requests'],
): Promise<readonly TableRow[]> {
  const uuids = [...new Set(requests.flatMap(({ allocations }) => Object.keys(allocations)))];
  const named = await askInParts(uuids.slice(0, CLI_LIMITS.namesLookedUp), async (uuid) => {
    const { name } = await client.get<{ readonly name: string }>(`/resource_providers/${uuid}`);
    return [uuid, name] as const;
  });
  const names = new Map(named);
  return requests.flatMap(({ allocations }, at) =>
    Object.entries(allocations).map(([uuid, { resources }]) => ({
      candidate: at + 1,
      provider: names.get(uuid) ?? null,
      resources: amountsText(resources),
      uuid,
    })),
  );
}
