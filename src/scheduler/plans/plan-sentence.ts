// A plan in one sentence.
import type { PlanCommand, PlannedDocument } from './planning';

/** Names in a list; the rest is counted. */
const NAMES_SHOWN = 3;

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;

const namesOf = (names: readonly string[]): string =>
  names.length <= NAMES_SHOWN + 1
    ? names.join(', ')
    : `${names.slice(0, NAMES_SHOWN).join(', ')} and ${names.length - NAMES_SHOWN} more hosts`;

const points = (spread: number): string => spread.toFixed(1);

export function planSentence(command: PlanCommand, planned: PlannedDocument): string {
  const late = planned.isTimeUp ? ' The time limit ended the search: this is the best plan so far.' : '';
  const sentenceOf = command.goal === 'drain' ? drained : command.goal === 'waves' ? inRounds : changed;
  return `${sentenceOf(command, planned)}.${late}`;
}

function drained({ hosts }: PlanCommand, planned: PlannedDocument): string {
  const among = new Set(hosts);
  const leaving = new Set(
    planned.moves.filter(({ source }) => among.has(source.host)).map((move) => move.instance.uuid),
  );
  const staying = planned.unmovable.length;
  const total = leaving.size + staying;
  if (total === 0) return `No instance is on ${namesOf(hosts)}: nothing has to move`;
  const whole = `${leaving.size} of ${count(total, 'instance')} of ${namesOf(hosts)} can leave`;
  const rest = staying === 0 ? '' : `; ${staying} cannot move`;
  return `${whole}${leaving.size === 0 ? '' : `: ${movesOf(planned)}`}${rest}`;
}

function inRounds({ hosts, atATime }: PlanCommand, planned: PlannedDocument): string {
  const emptied = planned.rounds.flatMap((round) => round.hosts).length;
  const rounds = `${count(planned.rounds.length, 'round')} of at most ${atATime}${boundOf(planned)}`;
  return `${emptied} of ${count(hosts.length, 'host')} can be emptied in ${rounds}: ${inStages(planned)}`;
}

/** `12 moves in 3 stages, at least 12 are needed`. */
const movesOf = (planned: PlannedDocument): string => `${inStages(planned)}${boundOf(planned)}`;

function inStages({ moves }: PlannedDocument): string {
  const stages = new Set(moves.map(({ stage }) => stage)).size;
  return `${count(moves.length, 'move')} in ${count(stages, 'stage')}`;
}

const boundOf = ({ leastMoves: least }: PlannedDocument): string =>
  least === null ? '' : `, at least ${least} ${least === 1 ? 'is' : 'are'} needed`;

function changed(command: PlanCommand, planned: PlannedDocument): string {
  const effect = effectOf(command, planned);
  if (planned.moves.length > 0) return `${movesOf(planned)}: ${effect}`;
  const isEnough = command.count !== null && planned.isReached;
  return `${isEnough ? 'No move is needed' : 'No plan is better than the cloud as it is'}: ${effect}`;
}

function effectOf({ goal, flavor, count: asked, over }: PlanCommand, { before, after }: PlannedDocument): string {
  if (goal === 'balance') {
    return `the spread of the use of ${over} goes from ${points(before.spread)} to ${points(after.spread)} percentage points`;
  }
  const { name } = typeof flavor === 'string' ? { name: flavor } : ((flavor ?? {}) as { readonly name?: string });
  const places = `places for ${name ?? 'the flavor'} go from ${before.places ?? 0} to ${after.places ?? 0}`;
  if (goal === 'room') return asked === null ? places : `${places}, ${asked} asked`;
  const emptied = `empty hosts go from ${before.emptyHosts} to ${after.emptyHosts}`;
  return flavor === null ? emptied : `${emptied}, ${places}`;
}
