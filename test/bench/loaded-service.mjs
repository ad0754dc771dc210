// A built service on a separate database with a loaded world.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../races/campaign.mjs';
import { migrate, startService } from '../support/built-service.mjs';
import { loadIntoBerth } from './loaders.mjs';

/**
 * `settingsOf` returns more settings for the start than `env`, given the folder and the URL of the loaded database.
 * Returns the service, that URL,
 * the time until the service was ready, and a function that ends both.
 */
export async function startLoaded(kind, made, { env = {}, settingsOf = () => ({}), dist } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-bench-'));
  const database = await openDatabase(kind, folder);
  migrate(database.url, folder, dist);
  await loadIntoBerth(database.url, made);
  const { env: further, ...settings } = settingsOf(folder, database.url);
  const began = performance.now();
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
  const readySeconds = (performance.now() - began) / 1000;
  return { service, databaseUrl: database.url, readySeconds, end };
}
