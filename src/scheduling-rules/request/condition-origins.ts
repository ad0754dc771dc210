// Finds the origins of the conditions in a resource request: extra spec, image property, request group, prefilter.
// Recomputed from the request when a refusal is rendered; building the request records nothing.

import type { Condition, Origin } from '../../placement/candidate-search';
import { extraSpecField } from '../numa/cpu-policy';
import { isGroupOf } from '../pci/in-placement';
import type { PrefilterRecord } from '../pipeline/run-prefilters';
import type { RequestSpec } from '../request-spec/request-spec';
import { fieldsOf } from './flavor-image';
import { traitFieldsOf } from './resource-request';
import { ENCRYPTION_CLASS } from './translations';

/** Classes of the flavor's own amounts. */
const FLAVOR_CLASSES: ReadonlySet<string> = new Set(['VCPU', 'PCPU', 'MEMORY_MB', 'DISK_GB']);

export class ConditionOrigins {
  private fields: ReadonlyMap<string, ReadonlySet<string>> | undefined;

  constructor(
    private readonly spec: RequestSpec,
    private readonly prefilters: readonly PrefilterRecord[],
    private readonly novaCompat: boolean,
  ) {}

  /** All origins of the condition; empty if unknown. */
  originsOf({ kind, names, parts }: Condition): readonly Origin[] {
    const origins = names.flatMap((name) =>
      parts.flatMap(({ group }) => {
        if (kind === 'resource') return this.originsOfClass(group ?? '', name);
        if (kind !== 'trait' && kind !== 'forbidden_trait') return [];
        return group === null ? this.originsOfRootTrait(kind, name) : this.originsOfTrait(group, name);
      }),
    );
    return [...new Map(origins.map((origin) => [JSON.stringify(origin), origin])).values()];
  }

  /** The zone, or the reason of another prefilter that added these aggregates. */
  meaningOf(aggregates: readonly string[]): string | undefined {
    const requestedAggregates = new Set(aggregates);
    const isTheSet = (set: readonly string[]): boolean =>
      set.length === requestedAggregates.size && set.every((uuid) => requestedAggregates.has(uuid));
    for (const { added, because } of this.prefilters) {
      if (![...added.memberOf, added.forbiddenAggregates].some((set) => set.length > 0 && isTheSet(set))) continue;
      if (because !== null) return because;
    }
    return undefined;
  }

  private originsOfClass(group: string, name: string): readonly Origin[] {
    const key = `resources${group}:${name}`;
    if (Object.hasOwn(this.spec.flavor.extraSpecs, key)) return [this.originOfField(`${EXTRA_SPECS}${key}`)];
    if (this.spec.requestedResources.some(({ suffix }) => suffix === group)) return [this.originOfGroup(group)];
    if (group !== '') return [];
    if (FLAVOR_CLASSES.has(name)) return [{ by: 'flavor', name: this.spec.flavor.name, key: null }];
    if (name.startsWith('CUSTOM_PMEM_NAMESPACE_')) return [this.originOfField(extraSpecField('hw:pmem'))];
    return name === ENCRYPTION_CLASS
      ? fieldsOf(this.spec, 'hw:mem_encryption').map((field) => this.originOfField(field))
      : [];
  }

  /** A group of a PCI alias is made of it; its suffix is an internal id. */
  private originOfGroup(group: string): Origin {
    const request = this.spec.pciRequests.find(({ requestId }) => requestId !== null && isGroupOf(requestId, group));
    return request === undefined || request.aliasName === null
      ? REQUESTED
      : { by: 'alias', name: request.aliasName, key: null };
  }

  private originsOfRootTrait(kind: 'trait' | 'forbidden_trait', name: string): readonly Origin[] {
    const isRequired = kind === 'trait';
    const given = isRequired ? this.spec.rootRequired : this.spec.rootForbidden;
    return [
      ...(given.includes(name) ? [{ by: 'request', name: null, key: 'request_level_params' } as const] : []),
      ...this.prefilters
        .filter(({ added }) => (isRequired ? added.rootRequired : added.rootForbidden).includes(name))
        .map(prefilterOf),
    ];
  }

  private originsOfTrait(group: string, name: string): readonly Origin[] {
    this.fields ??= traitFieldsOf(this.spec, { novaCompat: this.novaCompat });
    return [
      ...[...(this.fields.get(`${group} ${name}`) ?? [])].map((field) =>
        field.startsWith('requested_resources') ? this.originOfGroup(group) : this.originOfField(field),
      ),
      ...this.prefilters.filter(({ added }) => added.groups[group]?.includes(name) === true).map(prefilterOf),
    ];
  }

  private originOfField(field: string): Origin {
    const { flavor, image } = this.spec;
    if (field.startsWith(EXTRA_SPECS)) return { by: 'flavor', name: flavor.name, key: field.slice(EXTRA_SPECS.length) };
    if (!field.startsWith(PROPERTIES)) return { ...REQUESTED, key: field };
    return { by: 'image', name: image?.name ?? image?.id ?? null, key: field.slice(PROPERTIES.length) };
  }
}

const EXTRA_SPECS = 'flavor.extra_specs.';
const PROPERTIES = 'image.properties.';
const REQUESTED: Origin = { by: 'request', name: null, key: 'requested_resources' };

const prefilterOf = ({ name, because }: PrefilterRecord): Origin => ({ by: 'prefilter', name, key: because });
