// Definition of a registry page: the columns of its table and the fields of its form.
import type { Client } from '@berth/client';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Whole } from '../../service/whole';
import type { ListColumn } from '../../shown/list-table';

export interface Recorded {
  readonly generation: number;
}

export interface Written extends Recorded {
  readonly warnings?: readonly { readonly field: string; readonly why: string }[];
}

export type FieldValue = string | number | null;
export type FieldValues = Readonly<Record<string, FieldValue>>;
type Texts = Readonly<Record<string, string>>;

export interface Field<Row> {
  /** Name in the document. */
  readonly name: string;
  readonly label: string;
  readonly kind: 'text' | 'number' | 'choice';
  /** Value in the form of a new record. */
  readonly initial: FieldValue;
  /** Reads the value if the document does not have it under the field's name. */
  readonly read?: (record: Row) => FieldValue;
  /** An empty field becomes null in the document. */
  readonly isOptional?: true;
  readonly placeholder?: string;
  readonly min?: number;
  readonly width?: number;
  readonly choices?: readonly string[];
  readonly isShown?: (values: FieldValues) => boolean;
  readonly isFixed?: (record: Row) => boolean;
}

/** The client functions that write a registry. The service validates the documents. */
interface RecordCalls<Row> {
  readonly create: (document: never) => Promise<Row & Written>;
  readonly get: (key: string) => Promise<Row>;
  readonly put: (key: string, document: never) => Promise<unknown>;
  readonly change: (key: string, document: never) => Promise<Row & Written>;
  readonly delete: (key: string) => Promise<unknown>;
}

export interface RegistryDefinition<Row extends Recorded> {
  /** The name in policies. */
  readonly collection: 'flavors' | 'images' | 'server_groups' | 'host_aggregates';
  /** For example `host aggregate`. */
  readonly one: string;
  readonly keyOf: (record: Row) => string;
  readonly nameOf: (record: Row) => string;
  readonly useRows: () => UseQueryResult<Whole<Row>>;
  readonly callsOf: (client: Client) => RecordCalls<Row>;
  /** After the column of the name, which opens the record. */
  readonly columns: readonly ListColumn<Row>[];
  /** The text that a search matches. */
  readonly textOf: (row: Row) => string;
  /** The CLI command that creates the first record. */
  readonly command: string;
  /** Rows of the form. */
  readonly fields: readonly (readonly Field<Row>[])[];
  /** A field of keys and values, below the other fields. */
  readonly pairs?: {
    readonly field: string;
    readonly legend: string;
    readonly hint?: string;
    readonly read: (record: Row) => Texts;
  };
  /** Saves changes that a merge patch of the changed fields cannot express. */
  readonly save?: (client: Client, document: FieldValues, base: Row | undefined) => Promise<Row & Written>;
  /** Content below the form of a record. */
  readonly below: (record: Row) => ReactNode;
}

/** For example `Host aggregate rack1`. */
export const titleOf = <Row extends Recorded>(
  { one, nameOf }: RegistryDefinition<Row>,
  record: Row | undefined,
): string => `${one.charAt(0).toUpperCase()}${one.slice(1)} ${record === undefined ? '' : nameOf(record)}`;
