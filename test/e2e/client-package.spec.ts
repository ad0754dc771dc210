// The client as a package: its content, and the programs of its README in an empty installation.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

const run = promisify(execFile);
const ROOT = join(__dirname, '../..');
const README = 'client/README.md';
const manifest = (folder: string): Record<string, any> =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Record<string, any>;

/** The program in a document: its first block of JavaScript. */
const programOf = (document: string): string =>
  /```js\n(.*?)```/s.exec(readFileSync(join(ROOT, document), 'utf8'))?.[1] ?? '';

describe('the package', () => {
  let folder: string;
  let installed: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'berth-client-'));
    installed = join(folder, 'node_modules/@berth/client');
    mkdirSync(installed, { recursive: true });
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
    // The content is built before this suite; the package's own script would build it again in parallel with other
    // readers.
    const pack = ['pack', './client', '--ignore-scripts', '--offline', '--json', '--pack-destination', folder];
    await run(npm, pack, { cwd: ROOT });
    const [archive = ''] = readdirSync(folder).filter((name) => name.endsWith('.tgz'));
    await run('tar', ['-xzf', join(folder, archive), '-C', installed, '--strip-components=1']);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('contains the build, its README and its licence, and has no dependencies', () => {
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const files = readdirSync(join(installed, 'dist'), { recursive: true }).map(String);
    expect(files).toEqual(expect.arrayContaining(['index.js', 'index.d.ts', 'generated/api.d.ts']));
    expect(files.filter((name) => /spec|fixture/.test(name))).toEqual([]);
    const { dependencies, peerDependencies } = manifest('client');
    expect([dependencies, peerDependencies]).toEqual([undefined, undefined]);
  });

  it('has the version, the licence and the engines of the service', () => {
    const { version, license, engines } = manifest('.');
    expect(manifest('client')).toMatchObject({ version, license, engines });
  });

  describe('installed elsewhere', () => {
    let service: TestService;
    beforeEach(async () => {
      service = await startTestService('sqlite');
      await service.app.listen(0, '127.0.0.1');
    });
    afterEach(() => service.stop());

    it.each([README, 'docs/first-steps.md'])('runs the program in %s', async (document) => {
      const { port } = service.app.getHttpServer().address() as AddressInfo;
      const program = programOf(document).replace('127.0.0.1:8778', `127.0.0.1:${port}`);
      expect(program).toContain(`127.0.0.1:${port}`);
      writeFileSync(join(folder, 'program.mjs'), program);
      const { stdout, stderr } = await run(process.execPath, ['program.mjs'], { cwd: folder });
      expect({ stdout, stderr }).toEqual({ stdout: 'placed on cn1\n', stderr: '' });
    });

    it('has types for TypeScript programs', async () => {
      const program = [
        "import { Client, Session, noauth } from '@berth/client';",
        "import type { Schema } from '@berth/client';",
        "const client = new Client(new Session({ endpoint: 'http://berth', credentials: noauth('admin') }));",
        'export const name = async (): Promise<string | undefined> =>',
        "  (await client.providers.list({ name: 'cn1' })).resource_providers[0]?.name;",
        "export const flavor = (): Promise<Schema<'Flavor'>> => client.flavors.get('small');",
        '// @ts-expect-error There is no such parameter.',
        "void client.providers.list({ nane: 'cn1' });",
        '// @ts-expect-error A claim has an owner.',
        "void client.allocations.put('c', { allocations: {} });",
      ].join('\n');
      writeFileSync(join(folder, 'program.mts'), program);
      const compiler = join(ROOT, 'node_modules/@typescript/native/bin/tsc');
      const options = ['--module', 'node20', '--strict', '--lib', 'es2023,dom', '--noEmit'];
      const { stdout } = await run(process.execPath, [compiler, ...options, 'program.mts'], { cwd: folder });
      expect(stdout).toBe('');
    });
  });
});
