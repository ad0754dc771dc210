// Finds the origins of the conditions in a resource request: extra spec, image property, request group, prefilter.
// Recomputed from the request when a refusal is rendered; building the request records nothing.

import { extraSpecField } from '../numa/cpu-policy';
import { isGroupOf } from '../pci/in-placement';
import type { PrefilterRecord } from '../pipeline/run-prefilters';
import type { ConditionKey } from '../pipeline/wording';
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
  originsOf({ kind, group, name }: ConditionKey): readonly string[] {
    if (kind === 'class') return this.originsOfClass(group ?? '', name);
    return group === null ? this.originsOfRootTrait(kind, name) : this.originsOfTrait(group, name);
  }

  /** The zone, or the reason of another prefilter that added these aggregates. */
  meaningOf(aggregates: readonly string[]): string | undefined {
    const requestedAggregates = new Set(aggregates);
    const isTheSet = (set: readonly string[]): boolean =>
      set.length === requestedAggregates.size && set.every((uuid) => requestedAggregates.has(uuid));
    for (const { name, added, because } of this.prefilters) {
      if (![...added.memberOf, added.forbiddenAggregates].some((set) => set.length > 0 && isTheSet(set))) continue;
      if (because !== null) return /\bzone\b/.test(because) ? because : `${name}: ${because}`;
    }
    return undefined;
  }

  private originsOfClass(group: string, name: string): readonly string[] {
    const key = `resources${group}:${name}`;
    if (Object.hasOwn(this.spec.flavor.extraSpecs, key)) return [originOfField(`${EXTRA_SPECS}${key}`)];
    if (this.spec.requestedResources.some(({ suffix }) => suffix === group)) return [this.originOfGroup(group)];
    if (group !== '') return [];
    if (FLAVOR_CLASSES.has(name)) return ['the flavor'];
    if (name.startsWith('CUSTOM_PMEM_NAMESPACE_')) return [originOfField(extraSpecField('hw:pmem'))];
    return name === ENCRYPTION_CLASS ? fieldsOf(this.spec, 'hw:mem_encryption').map(originOfField) : [];
  }

  /** A group of a PCI alias is made of it; its suffix is an internal id. */
  private originOfGroup(group: string): string {
    const request = this.spec.pciRequests.find(({ requestId }) => requestId !== null && isGroupOf(requestId, group));
    return request === undefined || request.aliasName === null ? REQUESTED : `the PCI alias ${request.aliasName}`;
  }

  private originsOfRootTrait(kind: ConditionKey['kind'], name: string): readonly string[] {
    const isRequired = kind === 'trait';
    const given = isRequired ? this.spec.rootRequired : this.spec.rootForbidden;
    return [
      ...(given.includes(name) ? ['the request (request_level_params)'] : []),
      ...this.prefilters
        .filter(({ added }) => (isRequired ? added.rootRequired : added.rootForbidden).includes(name))
        .map(prefilterOf),
    ];
  }

  private originsOfTrait(group: string, name: string): readonly string[] {
    this.fields ??= traitFieldsOf(this.spec, { novaCompat: this.novaCompat });
    return [
      ...[...(this.fields.get(`${group} ${name}`) ?? [])].map((field) =>
        field.startsWith('requested_resources') ? this.originOfGroup(group) : originOfField(field),
      ),
      ...this.prefilters.filter(({ added }) => added.groups[group]?.includes(name) === true).map(prefilterOf),
    ];
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
