// The generated part of the client comes from the newest API document and the declared routes. From the practice cloud
// it includes only the types of servers, key pairs and hypervisors. `npm run docs` regenerates it.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderClientResources } from './client-resources.fixture';
import { printedDocuments } from './printed-document';

const ROOT = join(__dirname, '../..');
const GENERATED = join(ROOT, 'client/src/generated');

const documents = printedDocuments({ env: { BERTH_PRACTICE_CLOUD__ENABLED: 'false' }, cwd: '/nonexistent' });

function expectGenerated(name: string, made: string): void {
  const file = join(GENERATED, name);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(file, made);
  expect(readFileSync(file, 'utf8')).toBe(made);
}

/** Routes of the practice cloud that the client does not cover, because other clients do. */
const OTHERS = /^\/(image|identity|compute(?!\/v2\.1\/(servers|os-keypairs|os-hypervisors)(\/|$)))(\/|$)/;

it('the types of the client are those of the document', async () => {
  const withPracticeCloud = await printedDocuments({
    env: { BERTH_PRACTICE_CLOUD__ENABLED: 'true' },
    cwd: '/nonexistent',
  });
  const document = JSON.parse((await withPracticeCloud.textOf('latest')) ?? '') as { readonly paths: object };
  const paths = Object.fromEntries(Object.entries(document.paths).filter(([path]) => !OTHERS.test(path)));
  const made = execFileSync(process.execPath, [join(ROOT, 'scripts/client-types.mjs')], {
    input: JSON.stringify({ ...document, paths }),
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  expect(made).toContain('listResourceProviders');
  expectGenerated('api.ts', made);
});

it('the functions of the client are those that the routes declare', async () => {
  const printed = await documents;
  const document = JSON.parse((await printed.textOf('latest')) ?? '') as Parameters<typeof renderClientResources>[1];
  const made = renderClientResources(printed.routes, document);
  expect(made).toContain("list: calls.list('/resource_providers')");
  expectGenerated('resources.ts', made);
});
