// The transcripts of commands in README and docs/: what the commands print about the three hosts of docs/diagnosis.md.
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { berth } from '../support/command-line';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

const ROOT = resolve(__dirname, '../..');
/** Its transcripts need instances: plans-document.spec.ts. */
const OTHER = 'docs/plans.md';
const PAGES = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter(
  (page) => page !== OTHER,
);

/** Each `$ berth …` line of the pages, with the lines after it. */
const TRANSCRIPTS = PAGES.filter((page) => page.endsWith('.md')).flatMap((page) =>
  [...readFileSync(join(ROOT, page), 'utf8').matchAll(/```\n(\$ berth [^]*?)```/g)].flatMap(([, block = '']) =>
    block
      .split(/^\$ berth /m)
      .slice(1)
      .map((text) => {
        const [command = '', ...lines] = text.trimEnd().split('\n');
        return [page, command, lines.join('\n')] as const;
      }),
  ),
);

let service: TestService;
let url: string;
beforeAll(async () => {
  service = await startTestService('sqlite');
  await service.app.listen(0, '127.0.0.1');
  url = await service.app.getUrl();
  const send = (method: 'PUT' | 'PATCH' | 'POST', path: string, body: object): Promise<object> =>
    service.request({ method, path: `/scheduler/${path}`, body });
  const size = { vcpus_total: 16, memory_mb: 65_536, local_gb: 500, report_providers: true };
  for (const host of ['cn1', 'cn3']) await send('PUT', `hosts/${host}/${host}`, size);
  await send('PUT', 'hosts/cn2/cn2', { ...size, vcpus_total: 4, memory_mb: 4_096, local_gb: 100 });
  await send('PATCH', 'services/cn3', { status: 'disabled', disabled_reason: 'memory is exchanged' });
  await send('POST', 'flavors', { name: 'm1.large', vcpus: 4, memory_mb: 8_192, root_gb: 20 });
});
afterAll(() => service.stop());

it('there are transcripts', () => expect(TRANSCRIPTS.length).toBeGreaterThan(2));

it.each(TRANSCRIPTS)('%s: berth %s', async (_, command, expected) => {
  const { out, err } = await berth({ BERTH_URL: url }, command.split(' '));
  expect(err).toBe('');
  expect(out.trimEnd().replaceAll(/since \d\d:\d\dZ/g, 'since 10:00Z')).toBe(expected);
});
