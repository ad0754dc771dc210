// A resource request under construction: groups by suffix, filled step by step. Later steps replace the amount of a
// class in the same group; a trait that is both required and forbidden is refused at once.

import type { GroupPolicy, RequestGroup } from '../../placement/candidate-search';
import { byText } from '../../platform/values/text-order';
import { invalid } from '../request-spec/request-refusal';
import type { IgnoredField } from '../request-spec/request-spec';
import type { NovaRelease } from './traits-by-release';

interface DraftGroup {
  readonly resources: Map<string, number>;
  readonly required: Set<string>;
  readonly forbidden: Set<string>;
  memberOf: readonly (readonly string[])[];
  forbiddenAggregates: readonly string[];
  inTree: string | null;
}

/** A condition on one trait, and its field. */
interface TraitCondition {
  readonly name: string;
  readonly kind: 'required' | 'forbidden';
  readonly field: string;
}

/** Groups in the order of their creation. */
export class RequestDraft {
  readonly groups = new Map<string, DraftGroup>();
  readonly ignored: IgnoredField[] = [];
  /** The fields that request a trait, by `<suffix> <trait>`. */
  readonly traitFields = new Map<string, Set<string>>();
  groupPolicy: GroupPolicy | null = null;

  /**
   * With `lenient`, entries that nova drops with a log line are dropped too, and reported. Traits that computes of
   * `computeRelease` do not report are not implied by settings.
   */
  constructor(
    readonly lenient: boolean,
    readonly computeRelease: NovaRelease,
  ) {}

  group(suffix: string): DraftGroup {
    const known = this.groups.get(suffix);
    if (known !== undefined) return known;
    const fresh: DraftGroup = {
      resources: new Map(),
      required: new Set(),
      forbidden: new Set(),
      memberOf: [],
      forbiddenAggregates: [],
      inTree: null,
    };
    this.groups.set(suffix, fresh);
    return fresh;
  }

  suffixes(): readonly string[] {
    return [...this.groups.keys()].filter((suffix) => suffix !== '');
  }

  asksFor(resourceClass: string): boolean {
    return [...this.groups.values()].some(({ resources }) => resources.has(resourceClass));
  }

  addTrait(suffix: string, { name, kind, field }: TraitCondition): void {
    const { required, forbidden } = this.group(suffix);
    const [same, opposite] = kind === 'required' ? [required, forbidden] : [forbidden, required];
    if (opposite.has(name)) throw invalid(field, `names ${name}, which is both required and forbidden`);
    same.add(name);
    const key = `${suffix} ${name}`;
    this.traitFields.set(key, (this.traitFields.get(key) ?? new Set()).add(field));
  }

  /** Refuses an entry, or drops it in a lenient draft. */
  reject(field: string, why: string): void {
    if (!this.lenient) throw invalid(field, why);
    this.ignored.push({ field, why });
  }

  /** Removes amounts of 0, and then empty groups. */
  dropNothing(): void {
    for (const [suffix, { resources, required, forbidden, memberOf, forbiddenAggregates }] of this.groups) {
      for (const [name, number] of resources) if (number === 0) resources.delete(name);
      const conditions = required.size + forbidden.size + memberOf.length + forbiddenAggregates.length;
      if (resources.size + conditions === 0) this.groups.delete(suffix);
    }
  }

  finish(): readonly RequestGroup[] {
    return [...this.groups].map(([suffix, group]) => ({
      suffix,
      resources: new Map([...group.resources].sort(byText(([name]) => name))),
      requiredTraits: [...group.required].sort().map((trait) => [trait]),
      forbiddenTraits: [...group.forbidden].sort(),
      memberOf: group.memberOf.map((set) => [...set].sort()),
      forbiddenAggregates: [...new Set(group.forbiddenAggregates)].sort(),
      inTree: group.inTree,
    }));
  }
}
