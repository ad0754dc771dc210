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
