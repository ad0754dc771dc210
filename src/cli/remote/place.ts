// `berth place`: selects hosts for new instances and claims their resources. `berth explain`: the same without a claim,
// with the reasons.
import { randomUUID } from 'node:crypto';
import type { Schema } from '../../../client/src/routes.ts';
import { CommandFailed, EXIT } from '../command-context';
import type { RequestOptions } from './asked-request';
import { moveOf, requestOf } from './asked-request';
import { decisionText, selectionsText, warningsText } from './decision-text';
import type { Action } from './printing';
import { printDocument } from './printing';
import { ServiceRefused } from './service-client';

interface PlaceOptions extends RequestOptions {
  readonly count: number;
  readonly dryRun?: true;
  readonly name?: string;
}

type Placed = Required<Schema<'Selections'>>;

/** Project and user of a request that names none. */
export const CLI_OWNER = { project_id: 'berth-cli', user_id: 'berth-cli' };

const ofWhat = ({ flavor, instance = '' }: PlaceOptions): string =>
  flavor === undefined ? ` like ${instance}` : ` of ${flavor}`;

const hostsOf = ({ selections }: Placed): readonly string[] =>
  selections.flatMap(({ selected }) => selected?.host ?? []);

const hintOf = (requestId: string): string => `\nRecorded: berth decisions ${requestId}\n`;

/** Uuids and names of new instances, if they get names. */
function named({ name, count }: PlaceOptions): object {
  if (name === undefined) return {};
  const instances = Array.from({ length: count }, () => randomUUID());
  const names = instances.map((uuid, at) => [uuid, count === 1 ? name : `${name}-${at + 1}`]);
  return { instances, instance_names: Object.fromEntries(names) as object };
}

const undoOf = ({ selections }: Placed): string =>
  `Undo: berth release ${selections.map(({ instance_uuid: uuid }) => uuid).join(' ')}\n`;

/** Exit code 1 with the reasons if no host is valid. */
export const place: Action<PlaceOptions> = async (client, streams, options) => {
  const isDryRun = options.dryRun === true;
  try {
    const placed = await client.post<Placed>('/scheduler/select_destinations', {
      ...CLI_OWNER,
      ...(await requestOf(client, options)),
      num_instances: options.count,
      ...named(options),
      dry_run: isDryRun,
      explain: 'first',
    });
    const count = placed.selections.length;
    const done = `${isDryRun ? 'Would place' : 'Placed'} ${count} instance${count === 1 ? '' : 's'}${ofWhat(options)}.`;
    const hint = isDryRun ? '' : hintOf(placed.request_id) + undoOf(placed);
    const text = (): string => `${done}\n\n${selectionsText(placed.selections)}${warningsText(placed.decision)}${hint}`;
    printDocument(streams, options, placed, { text, names: hostsOf(placed) });
    return EXIT.done;
  } catch (error) {
    if (!(error instanceof ServiceRefused) || error.decision === undefined) throw error;
    const reasons = decisionText(error.decision) + (isDryRun ? '' : hintOf(error.decision.request_id));
    throw new CommandFailed(reasons.trimEnd());
  }
};

/** Exit code 1 if the request would be refused. */
export const explain: Action<PlaceOptions> = async (client, streams, options) => {
  const { count, instance } = options;
  const asked = await moveOf(client, options);
  const number = instance === undefined && { num_instances: count };
  const explained = await client.post<Placed & { readonly outcome: string }>('/scheduler/explain', {
    ...CLI_OWNER,
    ...asked,
    ...number,
  });
  const { outcome, decision, selections } = explained;
  const wouldPlace = `Would place ${selections.length} instance${selections.length === 1 ? '' : 's'} on ${hostsOf(explained).join(', ')}. Nothing was claimed.`;
  const text = (): string => decisionText(decision, outcome === 'placed' ? wouldPlace : decision.summary.sentence);
  printDocument(streams, options, explained, { text, names: hostsOf(explained) });
  return outcome === 'placed' ? EXIT.done : EXIT.failed;
};
