// docs/reference/access.md is generated from the router and the policy rules. UPDATE_DOCS=1 writes it; `npm run access
// -- --matrix` prints it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestService } from '../support/service';
import { accessTable, renderAccessReference } from './access-table';

const PAGE = join(__dirname, '../../docs/reference/access.md');

it('docs/reference/access.md matches the router and the policy rules (UPDATE_DOCS=1 writes it)', async () => {
  const service = await startTestService('sqlite');
  const rendered = renderAccessReference(accessTable(service.app));
  await service.stop();
  const report = process.env['BERTH_ACCESS_REPORT'];
  if (report !== undefined) writeFileSync(report, rendered);
  if (process.env['UPDATE_DOCS'] === '1') writeFileSync(PAGE, rendered);
  expect(readFileSync(PAGE, 'utf8')).toBe(rendered);
});
