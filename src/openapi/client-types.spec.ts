// The types of the client are made of the API document of the newest version, without the facade, which has clients of its
// own. `npm run client:generate` makes them again.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printedDocuments } from './printed-document';

const ROOT = join(__dirname, '../..');
const TYPES = join(ROOT, 'client/src/generated/api.ts');

it('the types of the client are those of the document', async () => {
  const documents = await printedDocuments({ env: { BERTH_FACADE__ENABLED: 'false' }, cwd: '/nonexistent' });
  const input = (await documents.textOf('latest')) ?? '';
  const made = execFileSync(process.execPath, [join(ROOT, 'scripts/client-types.mjs')], {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect(made).toContain('listResourceProviders');
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(TYPES, made);
  expect(readFileSync(TYPES, 'utf8')).toBe(made);
});
