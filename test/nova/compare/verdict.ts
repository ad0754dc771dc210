// Compares the answers of both schedulers to one request.
import type { Answer } from '../conductor';
import type { ReferenceAnswer } from './reference';
import type { ComparedRequest } from './requests';

/** `same`: equal hosts, refusals and selections. `tie`: hosts that nova weighs equal. `known`: for a reason that `KNOWN_DIFFERENCES` names. */
export type Outcome = 'same' | 'tie' | 'known' | 'different';

export interface Verdict {
  readonly outcome: Outcome;
  /** False if nova had several best hosts. */
  readonly isUnique: boolean;
  readonly isRefusal: boolean;
  /** The hosts that nova chose. */
  readonly chosen: readonly string[];
  /** Empty unless different. */
  readonly why: string;
}

/** Of two totals of weights: floats are added in another order. */
const RELATIVE = 1e-9;
const isEqualWeight = (one: number, other: number): boolean =>
  Math.abs(one - other) <= RELATIVE * Math.max(1, Math.abs(one), Math.abs(other));

const dataOf = (selection: any): any => selection['nova_object.data'];
const hostOf = (selection: any): string => dataOf(selection).service_host as string;

export function verdictOf(request: ComparedRequest, nova: ReferenceAnswer, berth: Answer): Verdict {
  const failure: string | null = berth.failure?.class ?? null;
  if (nova.error !== undefined) {
    const isSame = nova.error === failure;
    const why = `nova: ${nova.error} ${nova.text}; Berth: ${failure ?? JSON.stringify(hostsOf(berth.result))}`;
    return {
      outcome: isSame ? 'same' : 'different',
      isUnique: true,
      isRefusal: true,
      chosen: [],
      why: isSame ? '' : why,
    };
  }
  const selections = nova.selections ?? [];
  const chosen = selections.map(([first]) => hostOf(first));
  if (failure !== null) {
    const why = `nova: ${JSON.stringify(hostsOf(selections))}; Berth: ${failure} ${berth.failure.args?.[0]}`;
    return { outcome: 'different', isUnique: true, isRefusal: false, chosen, why };
  }
  return { isRefusal: false, chosen, ...compareSelections(request, nova, berth.result) };
}

const hostsOf = (selections: readonly (readonly any[])[]): string[][] => selections.map((each) => each.map(hostOf));

function compareSelections(
  { instances }: ComparedRequest,
  { passes, selections = [] }: ReferenceAnswer,
  berth: readonly (readonly any[])[],
): Omit<Verdict, 'isRefusal' | 'chosen'> {
  let isUnique = true;
  for (const at of instances.keys()) {
    const weights = new Map(passes[at]);
    const [one, other] = [selections[at]?.[0], berth[at]?.[0]];
    if (one === undefined || other === undefined)
      return { outcome: 'different', isUnique, why: 'an instance is missing' };
    const chosen = weights.get(hostOf(one)) ?? 0;
    if ([...weights.values()].filter((weight) => isEqualWeight(weight, chosen)).length > 1) isUnique = false;
    if (hostOf(one) === hostOf(other)) continue;
    const weight = weights.get(hostOf(other));
    // The next members depend on the choice, so they are not compared.
    if (weight !== undefined && isEqualWeight(weight, chosen)) return { outcome: 'tie', isUnique, why: '' };
    const why = `instance ${at}: nova: ${hostOf(one)} (${chosen}); Berth: ${hostOf(other)} (${weight ?? 'rejected by nova'})`;
    return { outcome: 'different', isUnique, why };
  }
  const why = differenceOfSelections(selections, berth, new Map(passes.at(-1)));
  return { outcome: why === '' ? 'same' : 'different', isUnique, why };
}

/** The chosen hosts are equal: so must be everything else that the conductor receives. */
function differenceOfSelections(
  nova: readonly (readonly any[])[],
  berth: readonly (readonly any[])[],
  weights: ReadonlyMap<string, number>,
): string {
  for (const [at, [one, ...alternates]] of nova.entries()) {
    const [other, ...others] = berth[at] ?? [];
    const [expected, actual] = [comparable(one), comparable(other)];
    if (expected !== actual) return `selection ${at}: nova: ${expected}; Berth: ${actual}`;
    if (alternates.length !== others.length) {
      return `alternates of ${at}: nova: ${alternates.map(hostOf).join(' ')}; Berth: ${others.map(hostOf).join(' ')}`;
    }
    for (const [place, alternate] of alternates.entries()) {
      const [mine, theirs] = [weights.get(hostOf(alternate)), weights.get(hostOf(others[place]))];
      if (mine === undefined || theirs === undefined || !isEqualWeight(mine, theirs)) {
        return `alternate ${place} of ${at}: nova: ${hostOf(alternate)} (${mine}); Berth: ${hostOf(others[place])} (${theirs})`;
      }
      const same = hostOf(alternate) === hostOf(others[place]);
      if (same && comparable(alternate) !== comparable(others[place])) {
        return `alternate ${place} of ${at}: nova: ${comparable(alternate)}; Berth: ${comparable(others[place])}`;
      }
    }
  }
  return '';
}

/** What the conductor reads of a selection, as one text with sorted names. */
function comparable(selection: any): string {
  const { allocation_request: claim, limits, ...data } = dataOf(selection);
  return JSON.stringify({ ...data, claim: JSON.parse(claim ?? 'null'), limits: plain(limits) }, sorted);
}

/** Versioned objects without their envelope. */
function plain(value: any): any {
  if (Array.isArray(value)) return value.map(plain).sort();
  if (value === null || typeof value !== 'object') return value;
  const data = { ...(value['nova_object.data'] ?? value) };
  // nova-compute reads no networks and an absent list of networks alike.
  const { network_metadata: networks } = data;
  if (networks !== undefined && isWithoutNetworks(networks['nova_object.data'])) delete data.network_metadata;
  return Object.fromEntries(Object.entries(data).map(([key, each]) => [key, plain(each)]));
}

const isWithoutNetworks = ({ physnets, tunneled }: any): boolean => physnets.length === 0 && tunneled === false;

const sorted = (_key: string, value: unknown): unknown =>
  value === null || typeof value !== 'object' || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
