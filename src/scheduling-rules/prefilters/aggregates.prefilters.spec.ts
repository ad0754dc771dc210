// The prefilters that read host aggregates: tenant aggregate, availability zone, isolated aggregates.
import type { HostAggregate } from '../host-state/host-state';
import type { PrefilterCloud, PrefilterOutcome } from '../pipeline/define-prefilter';
import { EMPTY_CLOUD, outcomeOf, requestSpec } from '../pipeline/pipeline.fixture';
import { prefilterTable } from '../pipeline/rule-table.fixture';
import { availabilityZonePrefilter } from './availability-zone.prefilter';
import { isolatedAggregatesPrefilter } from './isolated-aggregates.prefilter';
import { tenantAggregatePrefilter } from './tenant-aggregate.prefilter';

type Metadata = Readonly<Record<string, string>>;

/** A cloud with one aggregate per letter. */
const cloudOf = (aggregates: Readonly<Record<string, Metadata>>): { readonly cloud: PrefilterCloud } => ({
  cloud: {
    ...EMPTY_CLOUD,
    hostAggregates: Object.entries(aggregates).map(([uuid, metadata]): HostAggregate => ({
      uuid,
      name: uuid.toLowerCase(),
      metadata,
    })),
  },
});
const nothing = (whyNot: string): PrefilterOutcome => ({ kind: 'nothing', whyNot });

describe('TenantAggregatePrefilter', () => {
  const ON = { scheduler: { limit_tenants_to_placement_aggregate: true } };
  const REQUIRED = {
    scheduler: { limit_tenants_to_placement_aggregate: true, placement_aggregate_required_for_tenants: true },
  };
  const confined = (...uuids: readonly string[]): PrefilterOutcome => ({
    kind: 'added',
    added: { memberOf: [uuids] },
    because: 'host aggregates name project p',
  });
  const unnamed = nothing('no host aggregate names project p');
  const named = cloudOf({ A: { filter_tenant_id: 'p' } });

  prefilterTable(tenantAggregatePrefilter, [
    {
      rule: 'is off by default',
      surroundings: named,
      outcome: nothing('switched off'),
      flip: { options: ON, outcome: confined('A') },
    },
    {
      rule: 'a project that is required of an aggregate does nothing while the prefilter is off',
      options: { scheduler: { placement_aggregate_required_for_tenants: true } },
      outcome: nothing('switched off'),
      flip: {
        options: ON,
        outcome: {
          kind: 'refused',
          code: 'no_aggregate',
          params: { project: 'p', named: 'No aggregate has metadata filter_tenant_id' },
        },
      },
    },
    {
      rule: 'keys count by their prefix, all of their aggregates are one set',
      options: ON,
      surroundings: cloudOf({ A: { filter_tenant_id2: 'p' }, B: { 'filter_tenant_id:abc': 'p' }, C: { x: 'p' } }),
      outcome: confined('A', 'B'),
      flip: { surroundings: cloudOf({ A: { x_filter_tenant_id: 'p' } }), outcome: unnamed },
    },
    {
      rule: 'the value counts as a whole',
      options: ON,
      surroundings: cloudOf({ A: { filter_tenant_id: 'p,q' } }),
      outcome: unnamed,
      flip: { surroundings: named, outcome: confined('A') },
    },
    {
      rule: 'another key with the project does not count beside a tenant key with another one',
      options: ON,
      surroundings: cloudOf({ A: { filter_tenant_id: 'q', owner: 'p' } }),
      outcome: unnamed,
      flip: { surroundings: cloudOf({ A: { filter_tenant_id: 'p', owner: 'q' } }), outcome: confined('A') },
    },
    {
      rule: 'a project that no host aggregate names can be refused',
      options: REQUIRED,
      surroundings: cloudOf({ A: { filter_tenant_id: 'q' } }),
      outcome: { kind: 'refused', code: 'no_aggregate', params: { project: 'p', named: 'a has filter_tenant_id=q' } },
      flip: {
        options: { scheduler: { placement_aggregate_required_for_tenants: false } },
        outcome: unnamed,
      },
    },
  ]);

  it('refuses in the words of the field', () =>
    expect(tenantAggregatePrefilter.refusals['no_aggregate']).toMatch(/^No hosts available for tenant/));
});

describe('AvailabilityZonePrefilter', () => {
  const zones = cloudOf({
    A: { availability_zone: 'az1' },
    B: { availability_zone: 'az1', ssd: 'true' },
    C: { availability_zone: 'az2' },
    D: { ssd: 'true' },
  });
  const inZone = (zone: string, ...uuids: readonly string[]): PrefilterOutcome => ({
    kind: 'added',
    added: { memberOf: [uuids] },
    because: `zone ${zone}`,
  });
  const outside: PrefilterOutcome = {
    kind: 'added',
    added: { forbiddenAggregates: ['A', 'B', 'C'] },
    because: 'default zone nova: hosts in no other zone',
  };

  prefilterTable(availabilityZonePrefilter, [
    {
      rule: 'nothing is asked without a zone',
      surroundings: zones,
      outcome: nothing('no zone is requested'),
      flip: { spec: { availabilityZone: 'az1' }, outcome: inZone('az1', 'A', 'B') },
    },
    {
      rule: 'the default zone is that of hosts in no zone aggregate',
      spec: { availabilityZone: 'nova' },
      surroundings: zones,
      outcome: outside,
      flip: { spec: { availabilityZone: 'az2' }, outcome: inZone('az2', 'C') },
    },
    {
      rule: 'the default zone is that of the configuration',
      spec: { availabilityZone: 'home' },
      surroundings: { cloud: { ...zones.cloud, defaultAvailabilityZone: 'home' } },
      outcome: { ...outside, kind: 'added', because: 'default zone home: hosts in no other zone' },
      flip: {
        surroundings: { ...cloudOf({ A: { availability_zone: 'home' } }) },
        outcome: inZone('home', 'A'),
      },
    },
    {
      rule: 'without zone aggregates every host is in the default zone',
      spec: { availabilityZone: 'nova' },
      surroundings: cloudOf({ D: { ssd: 'true' } }),
      outcome: nothing('every host is in the default zone nova'),
      flip: { surroundings: zones, outcome: outside },
    },
    {
      rule: 'nova lets a request for an unknown zone land anywhere',
      spec: { availabilityZone: 'az3' },
      surroundings: { ...zones, novaCompat: true },
      outcome: nothing('no host aggregate is zone az3'),
      flip: { spec: { availabilityZone: 'az2' }, outcome: inZone('az2', 'C') },
    },
    {
      rule: 'nova lets a request for the default zone land anywhere',
      spec: { availabilityZone: 'nova' },
      surroundings: { ...zones, novaCompat: true },
      outcome: nothing('no host aggregate is zone nova'),
      flip: { surroundings: { novaCompat: false }, outcome: outside },
    },
  ]);

  it.each(['az3', 'AZ1', 'az1,az2', ''])('refuses the zone %j, which no host aggregate is', (zone) => {
    expect(() => outcomeOf(availabilityZonePrefilter, requestSpec({ availabilityZone: zone }), {}, zones)).toThrow(
      expect.objectContaining({ code: 'scheduler.invalid_request', field: 'availability_zone' }),
    );
  });

  it('takes no zone from a list of zones', () => {
    const listed = cloudOf({ A: { availability_zone: 'az1,az2' } });
    const read = (): unknown =>
      outcomeOf(availabilityZonePrefilter, requestSpec({ availabilityZone: 'az1' }), {}, listed);
    expect(read).toThrow("'availability_zone' names the zone 'az1', which does not exist");
  });
});

describe('IsolatedAggregatesPrefilter', () => {
  const ON = { scheduler: { enable_isolated_aggregate_filtering: true } };
  const required = (...traits: readonly string[]): { requiredTraits: () => ReadonlySet<string> } => ({
    requiredTraits: () => new Set(traits),
  });
  const isolated = cloudOf({ A: { 'trait:X': 'required' }, B: { ssd: 'true' } });
  const forbids = (...uuids: readonly string[]): PrefilterOutcome => ({
    kind: 'added',
    added: { forbiddenAggregates: uuids },
    because: `the request lacks traits that host aggregates ask for: ${uuids.join(', ').toLowerCase()}`,
  });
  const met = nothing('no host aggregate asks for a trait that the request lacks');

  prefilterTable(isolatedAggregatesPrefilter, [
    {
      rule: 'is off by default',
      surroundings: isolated,
      outcome: nothing('switched off'),
      flip: { options: ON, outcome: forbids('A') },
    },
    {
      rule: 'a trait that the request requires opens the aggregate',
      options: ON,
      surroundings: { ...isolated, ...required('X') },
      outcome: met,
      flip: { surroundings: required('Y'), outcome: forbids('A') },
    },
    {
      rule: 'all traits of an aggregate must be required',
      options: ON,
      surroundings: { ...cloudOf({ A: { 'trait:X': 'required', 'trait:Y': 'required' } }), ...required('X') },
      outcome: forbids('A'),
      flip: { surroundings: required('X', 'Y'), outcome: met },
    },
    ...['forbidden', 'Required', ' required', ''].map((value) => ({
      rule: `the value ${JSON.stringify(value)} asks for nothing`,
      options: ON,
      surroundings: cloudOf({ A: { 'trait:X': value } }),
      outcome: met,
      flip: { surroundings: isolated, outcome: forbids('A') },
    })),
    ...['trait1:X', 'Trait:X', 'traits:X'].map((key) => ({
      rule: `the key ${key} asks for nothing`,
      options: ON,
      surroundings: cloudOf({ A: { [key]: 'required' } }),
      outcome: met,
      flip: { surroundings: isolated, outcome: forbids('A') },
    })),
    {
      rule: 'the trait is compared with its case',
      options: ON,
      surroundings: { ...isolated, ...required('x') },
      outcome: forbids('A'),
      flip: { surroundings: required('X'), outcome: met },
    },
  ]);
});
