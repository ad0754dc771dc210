// Images in the database, as far as scheduling reads them. Names need not be unique.
import { marks } from '../../../database/sql';
import type { SqlReader, SqlValue, WriteTx } from '../../../database/sql';
import type { Uuid } from '../../../domain/uuid';
import type { Page, PageQuery } from '../registry-page';
import { pageOf, selectPage } from '../registry-page.repository';
import type { Condition, PageSource } from '../registry-page.repository';

export interface ImageDefinition {
  readonly uuid: Uuid;
  readonly name: string | null;
  readonly diskFormat: string | null;
  readonly properties: Readonly<Record<string, string>>;
}

export interface RegisteredImage extends ImageDefinition {
  readonly generation: number;
  readonly createdAtMs: number;
  readonly updatedAtMs: number | null;
}

interface Row {
  readonly uuid: Uuid;
  readonly name: string | null;
  readonly disk_format: string | null;
  readonly properties: string;
  readonly generation: number;
  readonly created_at: number;
  readonly updated_at: number | null;
}

const SELECT =
  'SELECT i.id, i.uuid, i.name, i.disk_format, i.properties, i.generation, i.created_at, i.updated_at FROM images i';
const SOURCE: PageSource = { select: SELECT, id: 'i.id', table: 'images', key: 'uuid' };

const toImage = (row: Row): RegisteredImage => ({
  uuid: row.uuid,
  name: row.name,
  diskFormat: row.disk_format,
  properties: JSON.parse(row.properties) as Readonly<Record<string, string>>,
  generation: row.generation,
  createdAtMs: row.created_at,
  updatedAtMs: row.updated_at,
});

export async function findImage(sql: SqlReader, uuid: Uuid): Promise<RegisteredImage | undefined> {
  const [row] = await sql.query<Row>(`${SELECT} WHERE i.uuid = ?`, [uuid]);
  return row === undefined ? undefined : toImage(row);
}

/** Images with this uuid or name, at most two: more than one means that a name says too little. */
export async function findImagesCalled(
  sql: SqlReader,
  uuid: Uuid | null,
  name: string,
): Promise<readonly RegisteredImage[]> {
  const rows = await sql.query<Row>(
    `${SELECT} WHERE i.uuid = ? OR i.name = ? ORDER BY CASE WHEN i.uuid = ? THEN 0 ELSE 1 END, i.id LIMIT 2`,
    [uuid, name, uuid],
  );
  return rows.map(toImage);
}

/** Whether an image of another uuid has this name. */
export async function isNameShared(sql: SqlReader, { uuid, name }: ImageDefinition): Promise<boolean> {
  if (name === null) return false;
  return (await sql.query('SELECT 1 FROM images WHERE name = ? AND uuid <> ? LIMIT 1', [name, uuid])).length > 0;
}

export interface ImageFilter {
  readonly name?: string | undefined;
  readonly diskFormat?: string | undefined;
}

export async function listImages(sql: SqlReader, filter: ImageFilter, page: PageQuery): Promise<Page<RegisteredImage>> {
  const conditions: Condition[] = [];
  if (filter.name !== undefined) conditions.push(['i.name = ?', [filter.name]]);
  if (filter.diskFormat !== undefined) conditions.push(['i.disk_format = ?', [filter.diskFormat]]);
  const rows = await selectPage<Row>(sql, SOURCE, conditions, page);
  return pageOf(rows, page.limit, toImage, (row) => row.uuid);
}

const DEFINED = ['name', 'disk_format', 'properties'] as const;

const definedOf = (image: ImageDefinition): readonly SqlValue[] => [
  image.name,
  image.diskFormat,
  JSON.stringify(image.properties),
];

/** Fails on a duplicate uuid. */
export async function insertImage(tx: WriteTx, image: ImageDefinition, nowMs: number): Promise<void> {
  await tx.run(`INSERT INTO images (uuid, ${DEFINED.join(', ')}, created_at) VALUES (${marks(DEFINED.length + 2)})`, [
    image.uuid,
    ...definedOf(image),
    nowMs,
  ]);
}

/** Changes the image that still has this generation; answers whether it had. */
export async function updateImage(
  tx: WriteTx,
  image: ImageDefinition,
  generation: number,
  nowMs: number,
): Promise<boolean> {
  const matched = await tx.run(
    `UPDATE images SET ${DEFINED.map((column) => `${column} = ?`).join(', ')}, generation = generation + 1, ` +
      'updated_at = ? WHERE uuid = ? AND generation = ?',
    [...definedOf(image), nowMs, image.uuid, generation],
  );
  return matched === 1;
}

/** Fails on a foreign key while instances have it; answers whether it was there. */
export async function deleteImage(tx: WriteTx, uuid: Uuid): Promise<boolean> {
  return (await tx.run('DELETE FROM images WHERE uuid = ?', [uuid])) === 1;
}
