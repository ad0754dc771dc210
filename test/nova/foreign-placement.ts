// A Placement service that Berth's scheduler reaches over HTTP: OpenStack's, or another process of Berth. It has a Keystone
// in front of it, and a proxy that fails on demand.
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { remotePlacementOf } from '../../src/nova/conf/placement-conf';
import type { RemotePlacementSettings } from '../../src/scheduler/remote-placement/remote-placement';
import { IdentityDouble } from '../support/identity-double';
import { startTestService } from '../support/service';
import { TcpProxy } from '../support/tcp-proxy';
import { connectAsAdmin, novaServer } from './nova-databases';

export const FOREIGN_KINDS = ['openstack', 'berth'] as const;
export type ForeignKind = (typeof FOREIGN_KINDS)[number];

interface Backend {
  readonly url: string;
  stop(): Promise<void>;
}

/** Debian's package python3-placement. */
export function hasOpenStack(): boolean {
  try {
    execFileSync('/usr/bin/python3', ['-c', 'import placement.wsgi, pymysql'], { stdio: 'ignore' });
    execFileSync('placement-manage', ['--help'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function startOpenStack(): Promise<Backend> {
  const admin = await connectAsAdmin();
  const database = `placement_${process.pid}_${randomBytes(4).toString('hex')}`;
  await admin.query(`CREATE DATABASE ${database}`);
  const script = join(__dirname, '../transfer/reference-process.mjs');
  const child = spawn(process.execPath, [script, novaServer.href, database], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = await Promise.race([
    new Promise<string>((resolve) => child.stdout.once('data', (line: Buffer) => resolve(line.toString().trim()))),
    ended.then(() => Promise.reject(new Error('OpenStack Placement does not start'))),
  ]);
  return {
    url,
    stop: async () => {
      child.stdin.end();
      await ended;
      await admin.query(`DROP DATABASE ${database}`);
      await admin.end();
    },
  };
}

async function startBerth(): Promise<Backend> {
  const service = await startTestService('sqlite');
  await service.app.listen(0, '127.0.0.1');
  return { url: await service.app.getUrl(), stop: () => service.stop() };
}

export class ForeignPlacement {
  private constructor(
    private readonly backend: Backend,
    readonly proxy: TcpProxy,
    readonly keystone: IdentityDouble,
  ) {}

  static async start(kind: ForeignKind): Promise<ForeignPlacement> {
    const backend = await (kind === 'openstack' ? startOpenStack() : startBerth());
    const { hostname, port } = new URL(backend.url);
    const proxy = await TcpProxy.open({ host: hostname, port: Number(port) });
    const keystone = await IdentityDouble.start();
    keystone.ownToken = 'admin';
    const endpoint = { interface: 'internal', region_id: 'one', url: `http://127.0.0.1:${proxy.port}/` };
    keystone.catalog = [{ type: 'placement', name: 'placement', endpoints: [endpoint] }];
    return new ForeignPlacement(backend, proxy, keystone);
  }

  /** Options of `[placement]` in nova.conf. */
  get options(): Readonly<Record<string, string>> {
    return {
      auth_type: 'password',
      auth_url: this.keystone.url,
      username: 'nova',
      password: this.keystone.password,
      user_domain_name: 'Default',
      project_name: 'service',
      project_domain_name: 'Default',
      region_name: 'one',
      timeout: '5',
    };
  }

  get confLines(): readonly string[] {
    return ['[placement]', ...Object.entries(this.options).map(([name, value]) => `${name} = ${value}`)];
  }

  get settings(): RemotePlacementSettings {
    const { settings, problems } = remotePlacementOf(this.options);
    if (problems.length > 0) throw new Error(problems.join(' '));
    return settings;
  }

  /** As an administrator, without the proxy. Throws for a status above 299. */
  async ask(method: string, path: string, body?: object, version = '1.36'): Promise<any> {
    const answer = await fetch(`${this.backend.url}${path}`, {
      method,
      headers: {
        'x-auth-token': 'admin',
        'content-type': 'application/json',
        'openstack-api-version': `placement ${version}`,
        accept: 'application/json',
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? {} : JSON.parse(text);
  }

  /** Amounts by provider. */
  async held(consumer: string): Promise<Record<string, Record<string, number>>> {
    const { allocations } = await this.ask('GET', `/allocations/${consumer}`);
    const entries = Object.entries<any>(allocations).map(([uuid, { resources }]) => [uuid, resources] as const);
    return Object.fromEntries(entries);
  }

  async provider(uuid: string, how: ProviderFacts = {}): Promise<void> {
    const { name = uuid, parent, inventories = {}, traits = [], aggregates = [] } = how;
    await this.ask('POST', '/resource_providers', { uuid, name, ...(parent && { parent_provider_uuid: parent }) });
    const path = `/resource_providers/${uuid}`;
    const generation = async (): Promise<number> => (await this.ask('GET', path)).generation;
    if (Object.keys(inventories).length > 0) {
      const body = { resource_provider_generation: await generation(), inventories };
      await this.ask('PUT', `${path}/inventories`, body);
    }
    if (traits.length > 0) {
      for (const trait of traits) if (trait.startsWith('CUSTOM_')) await this.ask('PUT', `/traits/${trait}`);
      await this.ask('PUT', `${path}/traits`, { resource_provider_generation: await generation(), traits });
    }
    if (aggregates.length > 0) {
      await this.ask('PUT', `${path}/aggregates`, { resource_provider_generation: await generation(), aggregates });
    }
  }

  async stop(): Promise<void> {
    await this.proxy.close();
    await this.keystone.stop();
    await this.backend.stop();
  }
}

interface ProviderFacts {
  readonly name?: string;
  readonly parent?: string;
  readonly inventories?: Readonly<Record<string, { readonly total: number; readonly allocation_ratio?: number }>>;
  readonly traits?: readonly string[];
  readonly aggregates?: readonly string[];
}
