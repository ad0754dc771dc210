// The tables of names, whose table names are equal in both schemas.

/** The column of the name, and whether Berth's table has an `updated_at` column. */
export const NAME_TABLES = {
  resource_classes: { column: 'name', isDated: true },
  traits: { column: 'name', isDated: true },
  consumer_types: { column: 'name', isDated: false },
  projects: { column: 'external_id', isDated: false },
  users: { column: 'external_id', isDated: false },
  placement_aggregates: { column: 'uuid', isDated: false },
} as const;

export type NameTable = keyof typeof NAME_TABLES;

/** Links of providers, in tables `resource_provider_…`, each with the column of what a provider has. */
export const LINK_COLUMNS = { traits: 'trait_id', aggregates: 'aggregate_id' } as const;

export type LinkKind = keyof typeof LINK_COLUMNS;
