// The stranded amounts of single hosts, looked up by root and class, with their age.
import { NUMBER, oneOf, orNull } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { ageSeconds } from '../age';
import type { NewestFinding } from './findings-cache';
import type { HostStranded } from './host-findings';

export const STRANDED_AGE = named(
  'StrandedAge',
  closed({ state: oneOf('current', 'computing'), age_s: orNull(NUMBER) }),
);

export class StrandedAmounts {
  constructor(private readonly newest: NewestFinding) {}

  /** Undefined: the host was not judged, because it is unusable or newer than the findings. */
  on(rootId: number): readonly HostStranded[] | undefined {
    return this.newest.finding?.cloud.hosts.get(rootId);
  }

  /** Undefined also if the host has nothing of the class. */
  of(rootId: number, resourceClass: string): HostStranded | undefined {
    return this.on(rootId)?.find((each) => each.resourceClass === resourceClass);
  }

  present(nowMs: number): object {
    const { state, finding } = this.newest;
    return { state, age_s: ageSeconds(finding?.atMs ?? null, nowMs) };
  }
}
