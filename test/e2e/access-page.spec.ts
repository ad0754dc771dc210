// The access table as Markdown; `npm run --silent access` prints it (BERTH_ACCESS_TABLE=1).
import { writeFileSync } from 'node:fs';
import { startTestService } from '../support/service';
import { accessTable, CALLERS, renderAccessTable } from './access-table';

it('the access table has one line for each request, with a cell for each caller', async () => {
  const service = await startTestService('sqlite');
  const rows = accessTable(service.app);
  await service.stop();
  const page = renderAccessTable(rows);
  if (process.env['BERTH_ACCESS_TABLE'] === '1') writeFileSync(process.stdout.fd, page);
  const lines = page.split('\n').filter((line) => line.startsWith('| `'));
  expect(lines.map((line) => line.split('`')[1]).sort()).toEqual(rows.map(({ name }) => name).sort());
  expect(lines.filter((line) => line.split(' | ').length !== CALLERS.length + 1)).toEqual([]);
});
