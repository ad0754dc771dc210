// Where the conditions of a resource request come from: extra spec, image property, a group of the request, a prefilter.
// Worked out again from the request when a refusal is told; building the request takes no notes.

import type { PrefilterRecord } from '../pipeline/run-prefilters';
import type { ConditionKey } from '../pipeline/wording';
import type { RequestSpec } from './request-spec';
import { traitFieldsOf } from './resource-request';

/** Classes that the flavor's own amounts ask for. */
const FLAVOR_CLASSES: ReadonlySet<string> = new Set(['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB']);

export class ConditionOrigins {
  private fields: ReadonlyMap<string, string> | undefined;

  constructor(
    private readonly spec: RequestSpec,
    private readonly prefilters: readonly PrefilterRecord[],
    private readonly novaCompat: boolean,
  ) {}

  originOf({ kind, group, name }: ConditionKey): string | undefined {
    if (kind === 'class') return this.originOfClass(group ?? '', name);
    return group === null ? this.originOfRootTrait(kind, name) : this.originOfTrait(group, name);
  }

  /** The zone, or what else a prefilter found these aggregates by. */
  meaningOf(aggregates: readonly string[]): string | undefined {
    const wanted = new Set(aggregates);
    const isTheSet = (set: readonly string[]): boolean =>
      set.length === wanted.size && set.every((uuid) => wanted.has(uuid));
    for (const { name, added, because } of this.prefilters) {
      if (![...added.memberOf, added.forbiddenAggregates].some((set) => set.length > 0 && isTheSet(set))) continue;
      if (because !== null) return /\bzone\b/.test(because) ? because : `${name}: ${because}`;
    }
    return undefined;
  }

  private originOfClass(group: string, name: string): string | undefined {
    const key = `resources${group}:${name}`;
    if (Object.hasOwn(this.spec.flavor.extraSpecs, key)) return originOfField(`${EXTRA_SPECS}${key}`);
    if (this.spec.requestedResources.some(({ suffix }) => suffix === group)) return REQUESTED;
    if (group !== '') return undefined;
    return FLAVOR_CLASSES.has(name) ? 'the flavor' : 'the flavor or the image';
  }

  private originOfRootTrait(kind: ConditionKey['kind'], name: string): string | undefined {
    const isRequired = kind === 'trait';
    const record = this.prefilters.find(({ added }) =>
      (isRequired ? added.rootRequired : added.rootForbidden).includes(name),
    );
    if (record !== undefined) return prefilterOf(record);
    const given = isRequired ? this.spec.rootRequired : this.spec.rootForbidden;
    return given.includes(name) ? 'the request (request_level_params)' : undefined;
  }

  private originOfTrait(group: string, name: string): string | undefined {
    this.fields ??= traitFieldsOf(this.spec, { novaCompat: this.novaCompat });
    const field = this.fields.get(`${group} ${name}`);
    if (field !== undefined) return originOfField(field);
    const record = this.prefilters.find(({ added }) => added.groups[group]?.includes(name) === true);
    return record && prefilterOf(record);
  }
}

const EXTRA_SPECS = 'flavor.extra_specs.';
const PROPERTIES = 'image.properties.';
const REQUESTED = 'the request (requested_resources)';

const prefilterOf = ({ name, because }: PrefilterRecord): string => (because === null ? name : `${name} (${because})`);

function originOfField(field: string): string {
  if (field.startsWith(EXTRA_SPECS)) return `the flavor (extra spec ${field.slice(EXTRA_SPECS.length)})`;
  if (field.startsWith(PROPERTIES)) return `the image (property ${field.slice(PROPERTIES.length)})`;
  return field.startsWith('requested_resources') ? REQUESTED : `the ${field}`;
}
