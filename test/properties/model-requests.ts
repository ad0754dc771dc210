// The verdict of the model on a request, the amounts of a request, and the first version of its route.
import type { Operation, Sets } from '../support/random-requests';

export interface Verdict {
  /** The allowed statuses. Several if a request has several faults and the contract does not define their order. */
  readonly statuses: readonly number[];
  /** The effect; only for a request that must be accepted. */
  readonly accept?: () => void;
}

export const refuse = (...statuses: number[]): Verdict => ({ statuses });
export const accept = (status: number, happens: () => void = () => undefined): Verdict => ({
  statuses: [status],
  accept: happens,
});

export function amountsOf(sets: Sets): readonly (readonly [uuid: string, name: string, amount: number])[] {
  return Object.entries(sets).flatMap(([uuid, amounts]) =>
    Object.entries(amounts).map(([name, amount]) => [uuid, name, amount] as const),
  );
}

/** The status of a request whose version does not have its route yet. */
export function tooEarly({ kind }: Operation, minor: number): number | undefined {
  if (kind === 'delete inventories') return minor < 5 ? 405 : undefined;
  const first =
    kind === 'put aggregates'
      ? 1
      : /class$/.test(kind)
        ? 2
        : /traits?$/.test(kind)
          ? 6
          : kind === 'post allocations'
            ? 13
            : kind === 'reshape'
              ? 30
              : 0;
  return minor < first ? 404 : undefined;
}
