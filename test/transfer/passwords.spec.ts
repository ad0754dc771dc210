// The password of the reference's database comes from the environment or a file, so it never appears in a process list.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandResult } from '../support/command-line';
import { berth } from '../support/command-line';
import { testDatabaseKinds } from '../support/databases';
import { makeReference, putSmallCloud } from './reference-fixture';
import type { Place } from './transfer-support';
import { makePlace } from './transfer-support';

const PASSWORD = 'se cr:e@t/%40';

(testDatabaseKinds().includes('mysql') ? describe : describe.skip)('the password of a MySQL source and target', () => {
  const user = `berth_test_${randomBytes(6).toString('hex')}`;
  let place: Place;
  let address: string;
  beforeEach(async () => {
    place = await makePlace('mysql');
    await makeReference(place.reference, 'a082b8bb98d0');
    await putSmallCloud(place.reference);
    const url = new URL(place.source.url);
    await place.reference.run(`CREATE USER ${user}@'%' IDENTIFIED BY '${PASSWORD}'`);
    await place.reference.run(`GRANT ALL ON ${url.pathname.slice(1)}.* TO ${user}@'%'`);
    url.username = user;
    address = url.toString();
    writeFileSync(join(place.folder, 'password'), `${PASSWORD}\n`);
  });
  afterEach(async () => {
    await place.reference.run(`DROP USER ${user}@'%'`);
    await place.clear();
  });

  const run = (env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<CommandResult> =>
    berth({ DATABASE_URL: place.target.url, ...env }, args, place.folder);
  const fromEnvironment = { BERTH_TRANSFER_PASSWORD: PASSWORD };

  it('comes from the environment', async () => {
    await expect(run({}, 'import', '--from', address)).rejects.toThrow('Access denied');
    expect(await run(fromEnvironment, 'import', '--from', address)).toMatchObject({ code: 0 });
    expect(await run(fromEnvironment, 'export', '--to', address, '--replace')).toMatchObject({ code: 0 });
  });

  it('comes from a file', async () => {
    const file = ['--password-file', 'password'];
    expect(await run({}, 'import', '--from', address, ...file)).toMatchObject({ code: 0 });
    expect(await run({}, 'export', '--to', address, '--replace', ...file)).toMatchObject({ code: 0 });
    const missing = run({}, 'import', '--from', address, '--password-file', 'none');
    expect(await missing).toMatchObject({ code: 1, err: expect.stringMatching(/none cannot be read \(ENOENT\)/) });
  });

  it('is given once', async () => {
    const other = address.replace(user, `${user}:other`);
    await expect(run(fromEnvironment, 'import', '--from', other, '--replace')).rejects.toThrow(
      /^--from contains a password, and another one is given\. Use only one of them\.$/,
    );
    const both = await run({}, 'import', '--from', address, '--password-file', 'password', '--ask-password');
    expect(both).toMatchObject({ code: 2, err: expect.stringContaining('cannot be used with') });
  });
});
