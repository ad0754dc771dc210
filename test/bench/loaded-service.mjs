// A built service on a database of its own with a world in it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../races/campaign.mjs';
import { migrate, startService } from '../support/built-service.mjs';
import { loadIntoBerth } from './loaders.mjs';

/**
 * `settingsOf` answers what the service is started with beside `env`, of the folder that goes with it and of the address
 * of the database, which has its world by then. Answers the service, that address, and how both end.
 */
export async function startLoaded(kind, made, { env = {}, settingsOf = () => ({}), dist } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'));
  const database = await openDatabase(kind, folder);
  migrate(database.url, folder, dist);
  await loadIntoBerth(database.url, made);
  const { env: further, ...settings } = settingsOf(folder, database.url);
  const service = await startService(database.url, {
    cwd: folder,
    ...settings,
    env: { BERTH_DEFAULT__LOG_OPTIONS: 'false', ...env, ...further },
  });
  const end = async () => {
    await service.stop();
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { service, databaseUrl: database.url, end };
}
