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

const RECORD_COLUMNS = ['total', 'reserved', 'min_unit', 'max_unit', 'step_size', 'allocation_ratio'] as const;
const RECORDS = `SELECT ${BY_RECORD} AS name, ${RECORD_COLUMNS.map((column) => `i.${column}`).join(', ')} FROM ${RECORD}`;

const COMPARISONS: readonly Comparison[] = [
  { what: 'inventories', theirs: RECORDS, ours: RECORDS, isByUuid: true },
  {
    what: 'usage',
    theirs: `SELECT ${BY_RECORD} AS name, SUM(a.used) AS amount FROM ${GRANTED} WHERE a.used > 0 GROUP BY p.uuid, r.name`,
    ours: `SELECT ${BY_RECORD} AS name, i.used AS amount FROM ${RECORD} WHERE i.used <> 0`,
    isByUuid: true,
  },
  {
    what: 'generation of resource providers',
    theirs: 'SELECT p.uuid AS name, COALESCE(p.generation, 0) AS amount FROM resource_providers p',
    ours: 'SELECT p.uuid AS name, p.generation AS amount FROM resource_providers p',
    isByUuid: true,
  },
  {
    what: 'number of traits',
    theirs: links('resource_provider_traits', 'traits', 'trait_id'),
    ours: links('resource_provider_traits', 'traits', 'trait_id'),
    isByUuid: true,
  },
  {
    what: 'number of aggregates',
    theirs: links('resource_provider_aggregates', 'placement_aggregates', 'aggregate_id'),
    ours: links('resource_provider_aggregates', 'placement_aggregates', 'aggregate_id'),
    isByUuid: true,
  },
  {
    what: 'amounts by class, project, user and consumer type',
    theirs: ownerSums('LEFT JOIN consumers c ON c.uuid = a.consumer_id'),
    ours: ownerSums('JOIN consumers c ON c.id = a.consumer_id'),
    isByOwner: true,
  },
  {
    what: 'generations of consumers, and how many there are',
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

/** The caller provides the snapshot of the import. */
export async function verifyImport(context: ImportContext): Promise<Verification> {
  const { reader, findings, progress } = context;
  progress.stage('verification', COMPARISONS.length);
  const differences: string[] = [];
  let compared = 0;
  for (const comparison of COMPARISONS) {
    const found = await compare(context, comparison);
    differences.push(...found.differences);
    compared += found.compared;
    progress.advance(1);
  }
  differences.push(...(await brokenLaws(context)));
  progress.end();
  if (differences.length > 0) differences.push(...excusedBy(findings));
  return { compared, differences, fingerprints: await reader.fingerprints() };
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
