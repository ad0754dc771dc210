// An operator's policy file takes effect; an invalid one stops the start-up.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BerthConfig } from '../../src/options';
import { OPTION_TABLE } from '../../src/options';
import { loadPolicy } from '../../src/platform/auth/load-policy';
import type { Principal } from '../../src/platform/auth/principal';
import { loadConfig } from '../../src/platform/config/load-config';
import { startTestService } from '../support/service';

const READER: Principal = { userId: 'u', projectId: 'p', roles: ['reader'], systemScope: null };

describe('a policy file', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'berth-policy-'));
  });
  const configurationOf = (files: string): BerthConfig =>
    loadConfig(OPTION_TABLE, { env: { BERTH_CONFIG: files }, cwd: folder });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('overrides rules, and a directory overrides the file', async () => {
    writeFileSync(join(folder, 'policy.yaml'), '"placement:traits:list": "role:reader"\n"placement:usages": "!"\n');
    mkdirSync(join(folder, 'policy.d'));
    writeFileSync(join(folder, 'policy.d/10-more.yaml'), '"placement:usages": "role:reader"\n');
    const service = await startTestService('sqlite', { cwd: folder });
    const as = (roles: string) => ({ headers: { 'x-roles': roles } });
    expect((await service.request({ path: '/traits', ...as('reader') })).status).toBe(200);
    expect((await service.request({ path: '/traits', ...as('admin') })).status).toBe(403);
    expect((await service.request({ path: '/usages?project_id=p', ...as('reader') })).status).toBe(200);
    await service.stop();
  });

  it("controls access to the practice cloud's resources of other projects", async () => {
    writeFileSync(join(folder, 'policy.yaml'), '"berth:practice_cloud:others": "role:support"\n');
    const service = await startTestService('sqlite', { cwd: folder });
    const as = (token: string, roles: string | null) => ({
      version: null,
      headers: { 'x-auth-token': token, 'x-roles': roles },
    });
    const path = '/image/v2/images';
    const body = { name: 'own', container_format: 'bare', disk_format: 'raw' };
    const made = await service.request({ method: 'POST', path, body, ...as('kim:demo', null) });
    const image = `${path}/${made.json.id as string}`;
    const statusFor = async (token: string, roles: string | null): Promise<number> =>
      (await service.request({ path: image, ...as(token, roles) })).status;
    expect(made.status).toBe(201);
    expect(await statusFor('kim:demo', null)).toBe(200);
    expect(await statusFor('lee:other', null)).toBe(404);
    expect(await statusFor('lee:other', 'support')).toBe(200);
    expect(await statusFor('lee:other', 'admin')).toBe(404);
    const removed = await service.request({ method: 'DELETE', path: image, ...as('lee:other', 'support,member') });
    expect(removed.status).toBe(204);
    await service.stop();
  });

  it('is found next to the last configuration file, and a policy.json if there is no policy.yaml', async () => {
    mkdirSync(join(folder, 'berth'));
    writeFileSync(join(folder, 'placement.conf'), '[placement]\n');
    writeFileSync(join(folder, 'berth/berth.conf'), '[berth]\n');
    writeFileSync(join(folder, 'berth/policy.json'), '{"placement:traits:list": "role:reader"}');
    const { enforcer } = loadPolicy(configurationOf('placement.conf, berth/berth.conf'));
    expect(enforcer.check('placement:traits:list', READER).allowed).toBe(true);
    writeFileSync(join(folder, 'berth/policy.yaml'), '"placement:traits:list": "!"');
    expect(
      loadPolicy(configurationOf('placement.conf, berth/berth.conf')).enforcer.check('placement:traits:list', READER)
        .allowed,
    ).toBe(false);
  });

  it('that is named and does not exist is a warning', () => {
    writeFileSync(join(folder, 'berth.conf'), '[oslo_policy]\npolicy_file = none.yaml\n');
    expect(loadPolicy(configurationOf('berth.conf')).warnings).toEqual([
      'berth.conf:2: [oslo_policy] policy_file none.yaml does not exist',
    ]);
  });

  it('that does not parse stops the start-up with its name and line', async () => {
    writeFileSync(join(folder, 'policy.yaml'), '"placement:traits:list": [1]\n');
    await expect(startTestService('sqlite', { cwd: folder })).rejects.toThrow(/policy\.yaml:1:/);
  });
});
