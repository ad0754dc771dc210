import { makeConsoleBuild } from '../../test/support/console-build';
import { CONSOLE_LIMITS } from '../platform/config/limits/http';
import { StartRefused } from '../platform/values/start-refused';
import { readBuiltConsole } from './built-console';

it('reads the files of the build, what they were pressed into, and the page apart', async () => {
  const build = makeConsoleBuild();
  const built = await readBuiltConsole(build.folder);
  build.remove();
  expect([...(built?.files.keys() ?? [])]).toEqual([
    'assets/index-aaaa1111.js',
    'assets/index-bbbb2222.css',
    'berth.svg',
  ]);
  const script = built?.files.get('assets/index-aaaa1111.js');
  expect(script?.pressed.map(({ encoding }) => encoding)).toEqual(['br', 'gzip']);
  expect(built?.page).toContain('__BERTH_NONCE__');
});

it('finds no console if there is no page, or no folder', async () => {
  const build = makeConsoleBuild({ 'assets/a.js': '1' });
  expect(await readBuiltConsole(build.folder)).toBeUndefined();
  expect(await readBuiltConsole(`${build.folder}/nowhere`)).toBeUndefined();
  expect(await readBuiltConsole(`${build.folder}/assets/a.js`)).toBeUndefined();
  build.remove();
});

it('takes what is called as if it were pressed for a file if nothing was', async () => {
  const build = makeConsoleBuild({ 'index.html': '<html>', 'assets/lone.js.gz': 'x' });
  const built = await readBuiltConsole(build.folder);
  build.remove();
  expect(built?.files.get('assets/lone.js.gz')?.contentType).toBe('application/octet-stream');
});

it('refuses a folder that is no console for the number of its files', async () => {
  const names = Array.from({ length: CONSOLE_LIMITS.files + 1 }, (_, at) => [`assets/${at}.js`, ''] as const);
  const build = makeConsoleBuild({ ...Object.fromEntries(names), 'index.html': '<html>' });
  await expect(readBuiltConsole(build.folder)).rejects.toThrow(StartRefused);
  build.remove();
});
