// What the page of a registry has to know of its records, and their form too.
export interface RecordKind<Row> {
  /** As policies name it. */
  readonly collection: 'flavors' | 'images' | 'server_groups' | 'host_aggregates';
  /** `host aggregate`. */
  readonly one: string;
  readonly keyOf: (record: Row) => string;
  readonly nameOf: (record: Row) => string;
}

/** `Host aggregate rack1`. */
export const titleOf = <Row>({ one, nameOf }: RecordKind<Row>, record: Row | undefined): string =>
  `${one.charAt(0).toUpperCase()}${one.slice(1)} ${record === undefined ? '' : nameOf(record)}`;
