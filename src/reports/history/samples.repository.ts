// Samples in the database. A history reads at most as many documents as it shows.
import type { SqlReader, WriteTx } from '../../platform/database/sql';
import { queryAmong } from '../../platform/database/sql';
import { Table } from '../../platform/database/table';
import { ReportSample } from './sample.entity';

const SAMPLES = new Table(ReportSample);
const WRITTEN = SAMPLES.without('id');
const READ = SAMPLES.without();

export type NewSample = Omit<ReportSample, 'id'>;

/** False if another process has the round. */
export async function takeRound(tx: WriteTx, atMs: number): Promise<boolean> {
  const seconds = Math.floor(atMs / 1_000);
  const text = "UPDATE registry_locks SET version = ? WHERE name = 'samples' AND version < ?";
  return (await tx.run(text, [seconds, seconds])) === 1;
}

/** Also deletes the samples before `keptFromMs`. */
export async function insertSample(tx: WriteTx, sample: NewSample, keptFromMs: number): Promise<void> {
  const { sql, params } = WRITTEN.insert([sample], {});
  await tx.run(sql + tx.dialect.onDuplicateIgnore('sampled_at'), params);
  await tx.run('DELETE FROM report_samples WHERE sampled_at < ?', [keptFromMs]);
}

/** The last sample of each step since then, with the requests of the whole step. */
export async function samplesSince(sql: SqlReader, sinceMs: number, stepMs: number): Promise<readonly NewSample[]> {
  const steps = await sql.query<{ at: number | string; placed: number | string; refused: number | string }>(
    'SELECT MAX(sampled_at) AS at, SUM(placed) AS placed, SUM(refused) AS refused FROM report_samples ' +
      `WHERE sampled_at >= ? GROUP BY sampled_at - sampled_at % ${stepMs} ORDER BY at`,
    [sinceMs],
  );
  const rows = await queryAmong<object>(
    sql,
    steps.map(({ at }) => Number(at)),
    (among) => `SELECT ${READ.of('s')} FROM report_samples s WHERE s.sampled_at IN (${among})`,
  );
  const documents = new Map(
    rows.map((row) => SAMPLES.read(row)).map((sample) => [sample.sampledAtMs, sample.document]),
  );
  return steps.flatMap(({ at, placed, refused }) => {
    const document = documents.get(Number(at));
    if (document === undefined) return [];
    return { sampledAtMs: Number(at), placed: Number(placed), refused: Number(refused), document };
  });
}
