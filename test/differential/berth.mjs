// A separate Berth for one run: copies the build, because another build can run meanwhile, and starts it on a temporary
// database.
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openDatabase, startServices } from '../races/campaign.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

export async function startBerth(kind, build = join(root, 'dist')) {
  const folder = mkdtempSync(join(tmpdir(), 'berth-differential-'));
  cpSync(build, join(folder, 'dist'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const database = await openDatabase(kind, folder);
  const services = await startServices({
    count: 1,
    databaseUrl: database.url,
    entry: join(folder, 'dist/main.js'),
    env: { LOG_LEVEL: 'info' },
  });
  return {
    url: services.urls[0],
    stop: async () => {
      await services.stop();
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
