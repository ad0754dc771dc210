// Compares the reference with Berth after an import: counts, and sums of all amounts by provider and class, and by
// owner and class. The statements are not those of the import.
import { TRANSFER_LIMITS } from '../../platform/config/limits/transfer';
import { WHOLE_LOAD } from '../../platform/database/database';
import type { SqlParams, SqlReader } from '../../platform/database/sql';
import { canonicalUuid } from '../../platform/values/uuid';
import type { FindingKind, Findings } from '../findings';
import { FINDINGS } from '../findings';
import type { Fingerprints } from '../reference/reader';
import { findBrokenLaws } from '../verify/broken-laws';
import type { ImportContext, ImportMode } from './import-context';

export interface Verification {
  /** How many numbers were compared. */
  readonly compared: number;
  readonly differences: readonly string[];
  /** Fingerprints of the source in the compared snapshot. */
  readonly fingerprints: Fingerprints;
}

type Numbers = ReadonlyMap<string, number>;

interface Comparison {
  readonly what: string;
  /** The source tables that the comparison reads. */
  readonly tables: readonly string[];
  readonly theirs: string;
  readonly ours: string;
  /** The name of a row starts with a uuid, in any spelling. */
  readonly isByUuid?: boolean;
  /** The statement takes the placeholder project and user as parameters. */
  readonly isByOwner?: boolean;
}

const GRANTED =
  'allocations a JOIN inventories i ON i.resource_provider_id = a.resource_provider_id ' +
  'AND i.resource_class_id = a.resource_class_id JOIN resource_providers p ON p.id = a.resource_provider_id ' +
  'JOIN resource_classes r ON r.id = a.resource_class_id';
const RECORD =
  'inventories i JOIN resource_providers p ON p.id = i.resource_provider_id JOIN resource_classes r ON r.id = i.resource_class_id';
const BY_RECORD = "CONCAT(p.uuid, ' ', r.name)";

const RECORD_TABLES = ['inventories', 'resource_providers', 'resource_classes'];
const GRANTED_TABLES = [...RECORD_TABLES, 'allocations'];
const OWNER_TABLES = [...GRANTED_TABLES, 'consumers', 'projects', 'users', 'consumer_types'];

const RECORD_COLUMNS = ['total', 'reserved', 'min_unit', 'max_unit', 'step_size', 'allocation_ratio'] as const;
const RECORDS = `SELECT ${BY_RECORD} AS name, ${RECORD_COLUMNS.map((column) => `i.${column}`).join(', ')} FROM ${RECORD}`;

const COMPARISONS: readonly Comparison[] = [
  { what: 'inventories', tables: RECORD_TABLES, theirs: RECORDS, ours: RECORDS, isByUuid: true },
  {
    what: 'usage',
    tables: GRANTED_TABLES,
    theirs: `SELECT ${BY_RECORD} AS name, SUM(a.used) AS amount FROM ${GRANTED} WHERE a.used > 0 GROUP BY p.uuid, r.name`,
    ours: `SELECT ${BY_RECORD} AS name, i.used AS amount FROM ${RECORD} WHERE i.used <> 0`,
    isByUuid: true,
  },
  {
    what: 'generation of resource providers',
    tables: ['resource_providers'],
    theirs: 'SELECT p.uuid AS name, COALESCE(p.generation, 0) AS amount FROM resource_providers p',
    ours: 'SELECT p.uuid AS name, p.generation AS amount FROM resource_providers p',
    isByUuid: true,
  },
  {
    what: 'number of traits',
    tables: ['resource_providers', 'resource_provider_traits', 'traits'],
    theirs: links('resource_provider_traits', 'traits', 'trait_id'),
    ours: links('resource_provider_traits', 'traits', 'trait_id'),
    isByUuid: true,
  },
  {
    what: 'number of aggregates',
    tables: ['resource_providers', 'resource_provider_aggregates', 'placement_aggregates'],
    theirs: links('resource_provider_aggregates', 'placement_aggregates', 'aggregate_id'),
    ours: links('resource_provider_aggregates', 'placement_aggregates', 'aggregate_id'),
    isByUuid: true,
  },
  {
    what: 'amounts by class, project, user and consumer type',
    tables: OWNER_TABLES,
    theirs: ownerSums('LEFT JOIN consumers c ON c.uuid = a.consumer_id'),
    ours: ownerSums('JOIN consumers c ON c.id = a.consumer_id'),
    isByOwner: true,
  },
  {
    what: 'generations of consumers, and how many there are',
    tables: OWNER_TABLES,
    theirs:
      `SELECT COALESCE(c.generation, 0) AS name, COUNT(DISTINCT a.consumer_id) AS amount FROM ${GRANTED} ` +
      'LEFT JOIN consumers c ON c.uuid = a.consumer_id WHERE a.used > 0 GROUP BY COALESCE(c.generation, 0)',
    ours: 'SELECT c.generation AS name, COUNT(*) AS amount FROM consumers c GROUP BY c.generation',
  },
];

function links(table: string, names: string, column: string): string {
  return (
    `SELECT p.uuid AS name, COUNT(*) AS amount FROM ${table} l JOIN resource_providers p ` +
    `ON p.id = l.resource_provider_id JOIN ${names} n ON n.id = l.${column} GROUP BY p.uuid`
  );
}

/** A consumer in the reference can lack an owner. The two parameters are the placeholder project and user for it. */
function ownerSums(consumers: string): string {
  return (
    "SELECT CONCAT(r.name, ' ', COALESCE(j.external_id, ?), ' ', COALESCE(u.external_id, ?), ' ', COALESCE(t.name, '-')) " +
    `AS name, SUM(a.used) AS amount FROM ${GRANTED} ${consumers} LEFT JOIN projects j ON j.id = c.project_id ` +
    'LEFT JOIN users u ON u.id = c.user_id LEFT JOIN consumer_types t ON t.id = c.consumer_type_id ' +
    'WHERE a.used > 0 GROUP BY r.name, j.external_id, u.external_id, t.name'
  );
}

/**
 * The caller provides the snapshot of the import. While it follows a source, it skips comparisons that found no
 * difference and whose tables have not changed since. It skips the check of the laws if the import has written no rows
 * since.
 */
export async function verifyImport(context: ImportContext): Promise<Verification> {
  const { reader, findings, progress, verified, written } = context;
  progress.stage('verification', COMPARISONS.length);
  const fingerprints = await reader.fingerprints();
  const differences: string[] = [];
  let compared = 0;
  for (const comparison of COMPARISONS) {
    const fingerprint = comparison.tables.map((table) => fingerprints.get(table) ?? '').join('\n');
    let known = verified.get(comparison.what);
    if (known?.fingerprint !== fingerprint) {
      const found = await compare(context, comparison);
      differences.push(...found.differences);
      known = { fingerprint, compared: found.compared };
      if (found.differences.length === 0) verified.set(comparison.what, known);
      else verified.delete(comparison.what);
    }
    compared += known.compared;
    progress.advance(1);
  }
  const laws = `rows written: ${written.count}`;
  if (verified.get('laws')?.fingerprint !== laws) {
    const broken = await brokenLaws(context);
    differences.push(...broken);
    if (broken.length === 0) verified.set('laws', { fingerprint: laws, compared: 0 });
  }
  progress.end();
  const excused = excusedBy(findings);
  return {
    compared,
    differences: differences.length > 0 && excused.length > 0 ? [...differences, ...excused] : differences,
    fingerprints,
  };
}

async function compare(
  { reader, database, mode, placeholder }: ImportContext,
  { what, theirs, ours, isByUuid = false, isByOwner = false }: Comparison,
): Promise<Pick<Verification, 'compared' | 'differences'>> {
  const params = isByOwner ? [placeholder.project, placeholder.user] : [];
  const expected = numbersOf(await reader.connection.query<NumberRow>(theirs, params), isByUuid);
  const found = await database.readSnapshot((sql) => readNumbers(sql, ours, params), WHOLE_LOAD);
  return { compared: expected.size, differences: differencesOf(what, expected, found, mode) };
}

/** Numbers with a name: one `amount`, or several in columns of their own. */
interface NumberRow extends Readonly<Record<string, number | string>> {
  readonly name: string | number;
}

function addNumbers(numbers: Map<string, number>, name: string, row: NumberRow): void {
  for (const [column, value] of Object.entries(row)) {
    if (column === 'name') continue;
    const key = column === 'amount' ? name : `${name} ${column}`;
    numbers.set(key, (numbers.get(key) ?? 0) + Number(value));
  }
}

function numbersOf(rows: readonly NumberRow[], isByUuid: boolean): Numbers {
  const numbers = new Map<string, number>();
  for (const row of rows) addNumbers(numbers, isByUuid ? canonicalName(String(row.name)) : String(row.name), row);
  return numbers;
}

function canonicalName(name: string): string {
  const [uuid = '', ...rest] = name.split(' ');
  return [canonicalUuid(uuid) ?? uuid, ...rest].join(' ');
}

async function readNumbers(sql: SqlReader, text: string, params: SqlParams): Promise<Numbers> {
  const numbers = new Map<string, number>();
  await sql.each<NumberRow>(text, params, (row) => addNumbers(numbers, String(row.name), row));
  return numbers;
}

/** After a merge, Berth can have more records and higher generations. */
function differencesOf(what: string, theirs: Numbers, ours: Numbers, mode: ImportMode): readonly string[] {
  const differences: string[] = [];
  const report = (name: string, their: number | undefined, our: number | undefined): void => {
    differences.push(`${what}: ${name}: ${their ?? 'none'} in the reference, ${our ?? 'none'} here`);
  };
  const isMerge = mode === 'merge';
  const isPerRecord = what === 'inventories';
  if (isMerge && what.startsWith('generations')) return [];
  for (const [name, their] of theirs) {
    const our = ours.get(name);
    if (isMerge && !isPerRecord ? (our ?? 0) < their : our !== their) report(name, their, our);
  }
  if (!isMerge) for (const [name, our] of ours) if (!theirs.has(name)) report(name, undefined, our);
  return differences;
}

async function brokenLaws({ database }: ImportContext): Promise<readonly string[]> {
  const broken = await database.readSnapshot(findBrokenLaws, WHOLE_LOAD);
  return broken.map(({ law, subject, detail }) => `${law}: ${subject}: ${detail}`);
}

/** Findings about skipped records can explain differences, so the report shows both. */
const LEFT_OUT: readonly FindingKind[] = ['doubled-uuid', 'bad-uuid'];

const excusedBy = (findings: Findings): readonly string[] =>
  LEFT_OUT.filter((kind) => findings.countOf(kind) > 0).map(
    (kind) => `(${findings.countOf(kind)} ${FINDINGS[kind]}, which may be the reason)`,
  );

/** The result as text for the operator. */
export function verificationLines({ compared, differences }: Verification): readonly string[] {
  if (differences.length === 0) return [`verified: ${compared} numbers are equal, and every law holds`];
  const shown = differences.slice(0, TRANSFER_LIMITS.differencesListed);
  const rest = differences.length - shown.length;
  return [
    `NOT verified: ${differences.length} differences in ${compared} numbers`,
    ...shown.map((line) => `  ${line}`),
    ...(rest > 0 ? [`  … and ${rest} more`] : []),
  ];
}
