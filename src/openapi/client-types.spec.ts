// The types of the client are made of the API document of the newest version; of the facade it has servers, key pairs and
// hypervisors. `npm run client:generate` makes them again.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printedDocuments } from './printed-document';

const ROOT = join(__dirname, '../..');
const TYPES = join(ROOT, 'client/src/generated/api.ts');

/** Routes of the facade that other clients are for. */
const OTHERS = /^\/(image|identity|compute(?!\/v2\.1\/(servers|os-keypairs|os-hypervisors)(\/|$)))(\/|$)/;

it('the types of the client are those of the document', async () => {
  const documents = await printedDocuments({ env: { BERTH_FACADE__ENABLED: 'true' }, cwd: '/nonexistent' });
  const document = JSON.parse((await documents.textOf('latest')) ?? '') as { readonly paths: object };
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !OTHERS.test(path)));
  const made = execFileSync(process.execPath, [join(ROOT, 'scripts/client-types.mjs')], {
    input: JSON.stringify({ ...document, paths }),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect(made).toContain('listResourceProviders');
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(TYPES, made);
  expect(readFileSync(TYPES, 'utf8')).toBe(made);
});
