// Finds names that the target cannot store, before any write: names that a column's collation treats as equal, and
// names that its character set cannot represent. The target database itself computes the weight of each name.
import { TRANSFER_LIMITS } from '../../platform/config/limits/transfer';
import { chunks } from '../../platform/database/sql';
import type { NameTable } from '../name-tables';
import { NAME_TABLES } from '../name-tables';
import type { ReferenceConnection } from '../reference/connection.loader';
import type { BerthRows } from './berth-rows';

interface NamedColumn {
  readonly table: NameTable | 'resource_providers';
  readonly column: string;
}

interface TextRules {
  readonly charset: string;
  readonly collation: string;
}

const COLUMNS: readonly NamedColumn[] = [
  ...(Object.keys(NAME_TABLES) as NameTable[]).map((table) => ({ table, column: NAME_TABLES[table].column })),
  { table: 'resource_providers', column: 'name' },
];

/** Throws with the list of names if the tables of the target cannot store them. SQLite compares byte by byte. */
export async function refuseUnfitNames(rows: BerthRows, reference: ReferenceConnection, shown: string): Promise<void> {
  if (reference.kind === 'sqlite') return;
  const problems: string[] = [];
  for (const each of COLUMNS) {
    const rules = await rulesOf(reference, each);
    if (rules !== undefined) problems.push(...(await problemsOf(rows, reference, each, rules)));
  }
  if (problems.length === 0) return;
  const listed = problems.slice(0, TRANSFER_LIMITS.differencesListed);
  const rest = problems.length - listed.length;
  throw new Error(
    [
      `The tables of ${shown} cannot take these names. No row was written.`,
      ...listed.map((problem) => `  ${problem}`),
      ...(rest > 0 ? [`  … and ${rest} more`] : []),
      'Rename what can be renamed, or export to an empty database of MariaDB or MySQL 8: the tables created there take every name.',
    ].join('\n'),
  );
}

/** Undefined for a binary column. */
async function rulesOf(reference: ReferenceConnection, { table, column }: NamedColumn): Promise<TextRules | undefined> {
  const [rules] = await reference.query<TextRules>(
    'SELECT character_set_name AS charset, collation_name AS collation FROM information_schema.columns ' +
      'WHERE table_schema = DATABASE() AND table_name = ? AND column_name = ? AND collation_name IS NOT NULL',
    [table, column],
  );
  return rules;
}

async function problemsOf(
  rows: BerthRows,
  reference: ReferenceConnection,
  { table, column }: NamedColumn,
  rules: TextRules,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const firstByWeight = new Map<string, string>();
  const pages = table === 'resource_providers' ? rows.providers() : rows.names(table);
  for await (const page of pages) {
    for (const part of chunks(page, TRANSFER_LIMITS.rowsPerInsert)) {
      const names = part.map(({ name }) => name);
      for (const { at, weight, isHeld } of await weightsOf(reference, names, rules)) {
        const name = names[Number(at)] ?? '';
        const first = firstByWeight.get(weight);
        if (Number(isHeld) === 0) {
          problems.push(`${table}.${column} (${rules.charset}): it cannot hold '${name}'`);
        } else if (first === undefined) firstByWeight.set(weight, name);
        else problems.push(`${table}.${column} (${rules.collation}): '${first}' and '${name}' are equal`);
      }
    }
  }
  return problems;
}

interface Weight {
  readonly at: number;
  /** Equal for names that the collation treats as equal. */
  readonly weight: string;
  readonly isHeld: number;
}

/** In a collation that pads with blanks, trailing blanks have no weight. */
function weightsOf(
  reference: ReferenceConnection,
  names: readonly string[],
  { charset, collation }: TextRules,
): Promise<readonly Weight[]> {
  const stored = `CONVERT(n.name USING ${charset})`;
  const isPadding = `CONVERT('a ' USING ${charset}) COLLATE ${collation} = CONVERT('a' USING ${charset})`;
  return reference.query<Weight>(
    `SELECT n.at, HEX(WEIGHT_STRING(IF(${isPadding}, RTRIM(${stored}), ${stored}) COLLATE ${collation})) AS weight, ` +
      `HEX(n.name) = HEX(CONVERT(${stored} USING utf8mb4)) AS isHeld ` +
      `FROM (${names.map((_, at) => `SELECT ${at} AS at, ? AS name`).join(' UNION ALL ')}) n ORDER BY n.at`,
    names,
  );
}
