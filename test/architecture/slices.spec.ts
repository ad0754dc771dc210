// How slices use each other: through services, or through files named for that purpose. Repositories and tables belong
// to their slice.
import type { SourceFile } from './sources';
import { FILES, isIn, lines } from './sources';

/** The folders that can write each table. */
const OWNERS: Readonly<Record<string, readonly string[]>> = {
  resource_classes: ['placement/resource-classes'],
  traits: ['placement/traits'],
  resource_providers: ['placement/resource-providers'],
  resource_provider_traits: ['placement/provider-traits'],
  placement_aggregates: ['placement/aggregates'],
  resource_provider_aggregates: ['placement/aggregates'],
  inventories: ['placement/inventories'],
  projects: ['placement/consumers'],
  users: ['placement/consumers'],
  consumer_types: ['placement/consumers'],
  consumers: ['placement/consumers'],
  allocations: ['placement/allocations'],
  scheduler_services: ['compute/services'],
  scheduler_hosts: ['compute/hosts'],
  host_aggregates: ['compute/host-aggregates'],
  host_aggregate_hosts: ['compute/host-aggregates'],
  host_aggregate_metadata: ['compute/host-aggregates'],
  server_groups: ['compute/server-groups'],
  server_group_members: ['compute/server-groups'],
  flavors: ['compute/flavors'],
  images: ['compute/images'],
  scheduler_instances: ['compute/instances'],
  scheduler_moves: ['compute/instances'],
  scheduler_releases: ['compute/instances'],
  registry_locks: ['compute', 'scheduler/decisions', 'reports/history'],
  scheduler_batches: ['scheduler/claim'],
  scheduler_remote_claims: ['scheduler/remote-placement'],
  scheduler_decisions: ['scheduler/decisions'],
  scheduler_plans: ['scheduler/plans'],
  report_samples: ['reports/history'],
  host_events: ['reports/history'],
  nova_calls: ['nova/decide'],
  scheduler_decision_subjects: ['scheduler/decisions'],
  access_tokens: ['platform/auth'],
  imports: ['transfer'],
  facade_images: ['practice-cloud/image'],
  facade_flavors: ['practice-cloud/compute/flavors'],
  facade_flavor_access: ['practice-cloud/compute/flavors'],
  facade_keypairs: ['practice-cloud/compute/keypairs'],
  facade_servers: ['practice-cloud/compute/servers'],
  facade_server_actions: ['practice-cloud/compute/servers'],
  change_log: ['platform/database'],
  writer_lanes: ['platform/database'],
};

/** Works on the whole database, outside the use cases. */
const WHOLE = ['transfer'];
/** Its statements read nova's databases, whose table of flavors has the same name. */
const OF_NOVA = ['nova/check'];
/** Their statements can join each other's tables, which gives one consistent view. */
const REGISTRIES = ['compute', 'scheduler'];
const PLACEMENT = ['placement'];
const CALLERS = ['platform/auth'];
const PRACTICE_CLOUD = ['practice-cloud'];
const HISTORY = ['reports/history'];
const NOVA = ['nova/decide'];

/** Intended writes to tables of other slices. */
const MEANT: ReadonlySet<string> = new Set([
  // A provider's dependent rows are deleted with it.
  'placement/resource-providers/resource-providers.repository -> inventories',
  'placement/resource-providers/resource-providers.repository -> resource_provider_traits',
  'placement/resource-providers/resource-providers.repository -> resource_provider_aggregates',
  // A service's dependent rows are deleted with it.
  'compute/services/services.repository -> scheduler_hosts',
  // Runs at start-up, outside of any slice.
  'placement/standard-names -> resource_classes',
  'placement/standard-names -> traits',
]);

const withoutEnding = (path: string): string => path.replace(/\.ts$/, '');

const tablesIn = (text: string, words: RegExp): readonly string[] =>
  [...text.matchAll(words)].flatMap(([, name = '']) => (name in OWNERS ? name : []));
const WRITTEN = /\b(?:INSERT INTO|UPDATE|DELETE FROM)\s+([a-z_]+)\b/g;
const NAMED = /\b(?:INTO|UPDATE|FROM|JOIN)\s+([a-z_]+)\b/g;

const foreignWrites = (files = FILES): readonly string[] =>
  lines(
    files.flatMap(({ path, text }) =>
      tablesIn(text, WRITTEN)
        .filter((table) => !isIn(path, OWNERS[table] ?? []) && !isIn(path, WHOLE))
        .map((table): [string, string] => [withoutEnding(path), table]),
    ),
  );

const ENTITY = /@Entity\('([a-z_]+)'\)\s+export class (\w+)/g;
const TABLES = new Map(FILES.flatMap(({ text }) => [...text.matchAll(ENTITY)].map(([, table, name]) => [name, table])));

/** Tables whose statements are generated from their entity: by `const X = new Table(E)`, and subsets of its columns. */
function tablesWrittenByEntity(text: string): readonly string[] {
  const known = new Map<string, string>();
  for (const [, name = '', made, picked] of text.matchAll(/const (\w+) = (?:new Table\((\w+)\)|(\w+)\.\w+\()/g)) {
    const table = made === undefined ? known.get(picked ?? '') : TABLES.get(made);
    if (table !== undefined) known.set(name, table);
  }
  return [...text.matchAll(/\b(\w+)(?:\.all)?\.(?:insert\(|assigned\b)/g)].flatMap(
    ([, name = '']) => known.get(name) ?? [],
  );
}

const foreignInserts = (files = FILES): readonly string[] =>
  lines(
    files.flatMap(({ path, text }) =>
      tablesWrittenByEntity(text)
        .filter((table) => !isIn(path, OWNERS[table] ?? []))
        .map((table): [string, string] => [withoutEnding(path), table]),
    ),
  );

const foreignTables = (files = FILES): readonly string[] =>
  lines(
    files.flatMap(({ path, text }) => {
      if (isIn(path, ['platform/database', ...OF_NOVA, ...WHOLE])) return [];
      const house =
        [REGISTRIES, PLACEMENT, CALLERS, PRACTICE_CLOUD, HISTORY, NOVA].find((folders) => isIn(path, folders)) ?? [];
      return tablesIn(text, NAMED)
        .filter(
          (table) => !(OWNERS[table] ?? []).some((owner) => owner === 'platform/database' || isIn(`${owner}/`, house)),
        )
        .map((table): [string, string] => [withoutEnding(path), table]);
    }),
  );

/** The folder of a slice; each registry is one. */
const sliceOf = (path: string): string => /^(?:(?:compute|placement)\/(?=[^/]+\/))?[^/]+/.exec(path)?.[0] ?? '';

const foreignRepositories = (files = FILES): readonly string[] =>
  lines(
    files
      .flatMap((file) => file.imports.map((name) => [withoutEnding(file.path), name] as const))
      .filter(([, name]) => name.endsWith('.repository'))
      .filter(([path, name]) => sliceOf(path) !== sliceOf(name)),
  );

it('each slice writes its own tables only', () =>
  expect(foreignWrites().filter((breach) => !MEANT.has(breach))).toEqual([]));

it('nor does it write through their entities', () => expect(foreignInserts()).toEqual([]));

it('every intended write exists', () =>
  expect([...MEANT].filter((breach) => !foreignWrites().includes(breach))).toEqual([]));

it('the statements of registries and scheduler name no tables of Placement, and vice versa', () =>
  expect(foreignTables()).toEqual([]));

it('a repository is imported by its own slice only', () => expect(foreignRepositories()).toEqual([]));

describe('detects deliberate violations', () => {
  const planted = (path: string, text: string): readonly SourceFile[] => [{ path, text, imports: [] }];

  it.each(Object.keys(OWNERS))('a write of %s by another slice', (table) => {
    for (const text of [`INSERT INTO ${table} (id)`, `UPDATE ${table} SET`, `DELETE FROM ${table} WHERE`]) {
      expect(foreignWrites(planted('placement/usages/usages.repository.ts', text))).toHaveLength(1);
    }
  });

  it("a write through another slice's entity", () => {
    expect(FILES.flatMap(({ text }) => tablesWrittenByEntity(text)).length).toBeGreaterThan(10);
    for (const picked of ['', "const X = T.only('name');", "const X = T.without('id');"]) {
      const text = `const T = new Table(StoredTrait);\n${picked}\n${picked === '' ? 'T.all' : 'X'}.insert([]);`;
      expect(foreignInserts(planted('placement/usages/usages.repository.ts', text))).toHaveLength(1);
      expect(foreignInserts(planted('placement/traits/traits.repository.ts', text))).toEqual([]);
    }
  });

  it('a read of a table of another part', () => {
    const consumers = 'LEFT JOIN consumers c ON c.uuid = i.uuid';
    expect(foreignTables(planted('compute/hosts/hosts.repository.ts', consumers))).toHaveLength(1);
    expect(foreignTables(planted('scheduler/claim/claims.ts', consumers))).toHaveLength(1);
    expect(foreignTables(planted('cli/commands.ts', consumers))).toHaveLength(1);
    expect(foreignTables(planted('placement/usages/usages.repository.ts', 'SELECT 1 FROM access_tokens'))).toHaveLength(
      1,
    );
    expect(foreignTables(planted('placement/usages/usages.repository.ts', consumers))).toEqual([]);
    expect(foreignTables(planted('placement/usages/usages.repository.ts', 'SELECT 1 FROM images'))).toHaveLength(1);
  });

  it("another slice's repository", () => {
    const importing = (path: string, name: string): readonly SourceFile[] => [{ path, text: '', imports: [name] }];
    expect(
      foreignRepositories(importing('placement/allocations/a.service.ts', 'placement/consumers/consumers.repository')),
    ).toHaveLength(1);
    expect(foreignRepositories(importing('compute/hosts/a.ts', 'compute/images/images.repository'))).toHaveLength(1);
    expect(foreignRepositories(importing('scheduler/claim/a.ts', 'compute/images/images.repository'))).toHaveLength(1);
    expect(foreignRepositories(importing('compute/hosts/a.ts', 'compute/hosts/hosts.repository'))).toEqual([]);
  });
});
