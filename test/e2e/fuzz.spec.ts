// A bounded run of the fuzzer (test/fuzz): corrupted requests and bytes break nothing, and refused requests change
// nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ModulesContainer } from '@nestjs/core';
import { MICROVERSIONS } from '../../src/placement/microversions';
import { resolveSchema } from '../../src/platform/microversion/versioned-schema';
import { describeRoutes } from '../fuzz/routes.cjs';
import { testDatabaseKinds } from '../support/databases';
import { startTestService } from '../support/service';

const RUN = join(__dirname, '../fuzz/run.mjs');
const REQUESTS = '4000';
const SECONDS = '10';

it.each(testDatabaseKinds())('no request breaks the service on %s', async (kind) => {
  const lines: string[] = [];
  const service = await startTestService(kind, { log: (line) => lines.push(line) });
  await service.app.listen(0, '127.0.0.1');
  const { port } = service.app.getHttpServer().address() as AddressInfo;
  const folder = mkdtempSync(join(tmpdir(), 'berth-fuzz-'));
  const file = join(folder, 'service.json');
  const controllers = [...service.app.get(ModulesContainer).values()].flatMap((module) =>
    [...module.controllers.values()].flatMap(({ metatype }) => (typeof metatype === 'function' ? [metatype] : [])),
  );
  const routes = describeRoutes(controllers, { resolveSchema, MICROVERSIONS });
  expect(routes.length).toBeGreaterThan(80);
  expect(routes.filter(({ body, fields }) => body ?? fields).length).toBeGreaterThan(30);
  writeFileSync(file, JSON.stringify({ url: `http://127.0.0.1:${port}`, databaseUrl: service.databaseUrl, routes }));
  const { BERTH_SEED: seed } = process.env;
  const bounds = ['--requests', REQUESTS, '--seconds', SECONDS, '--window', '1000'];
  if (seed !== undefined) bounds.push('--seed', seed);
  const run = spawn(process.execPath, [RUN, '--attach', file, ...bounds], { stdio: ['ignore', 'pipe', 'inherit'] });
  let reported = '';
  run.stdout.setEncoding('utf8').on('data', (text: string) => (reported += text));
  const [code] = await once(run, 'close');
  await service.stop();
  rmSync(folder, { recursive: true, force: true });
  // The report contains the requests and the seed.
  expect(reported).toContain('faults: none');
  expect(code).toBe(0);
  expect(lines.filter((line) => /"level":"(error|fatal)"/.test(line))).toEqual([]);
});
