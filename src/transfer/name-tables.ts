// The tables of names, which are called the same in both schemas.

/** The column of the name, and whether a table of ours knows when a name was changed. */
export const NAME_TABLES = {
  resource_classes: { column: 'name', isDated: true },
  traits: { column: 'name', isDated: true },
  consumer_types: { column: 'name', isDated: false },
  projects: { column: 'external_id', isDated: false },
  users: { column: 'external_id', isDated: false },
  placement_aggregates: { column: 'uuid', isDated: false },
} as const;

export type NameTable = keyof typeof NAME_TABLES;
