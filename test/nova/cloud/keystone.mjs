// Keystone of the test cloud: its process, and the users, services and endpoints in it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ini } from './ini.mjs';
import { run, until } from './processes.mjs';

export class Keystone {
  #token;

  /** `connection`: its database. `password`: of the administrator and of every user. */
  constructor({ folder, port, connection, password, region }) {
    this.folder = folder;
    this.port = port;
    this.address = `http://127.0.0.1:${port}/v3`;
    this.connection = connection;
    this.password = password;
    this.region = region;
  }

  async start(processes) {
    const folder = join(this.folder, 'keystone');
    for (const name of ['fernet', 'credentials']) mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
    const file = join(folder, 'keystone.conf');
    const sections = {
      DEFAULT: { log_file: join(this.folder, 'keystone-service.log') },
      database: { connection: this.connection },
      token: { provider: 'fernet', expiration: 14_400 },
      fernet_tokens: { key_repository: join(folder, 'fernet') },
      fernet_receipts: { key_repository: join(folder, 'fernet') },
      credential: { key_repository: join(folder, 'credentials') },
    };
    writeFileSync(file, ini(sections));
    const manage = (...words) => run('keystone-manage', ['--config-file', file, ...words]);
    const owner = ['--keystone-user', 'root', '--keystone-group', 'root'];
    await manage('db_sync');
    await manage('fernet_setup', ...owner);
    await manage('credential_setup', ...owner);
    const addresses = ['admin', 'internal', 'public'].flatMap((name) => [`--bootstrap-${name}-url`, this.address]);
    await manage(
      'bootstrap',
      '--bootstrap-password',
      this.password,
      '--bootstrap-region-id',
      this.region,
      ...addresses,
    );
    processes.start('keystone', 'keystone-wsgi-public', ['--host', '127.0.0.1', '--port', String(this.port)], {
      OS_KEYSTONE_CONFIG_DIR: folder,
      OS_KEYSTONE_CONFIG_FILES: file,
    });
    await until('Keystone', () => fetch(this.address).then(({ ok }) => ok));
  }

  /** Adds users of the project `service`, and services with their endpoints: name, type and address. */
  async fill(users, services) {
    const { project } = await this.#call('POST', '/projects', { project: { name: 'service', domain_id: 'default' } });
    const { roles } = await this.#call('GET', '/roles?name=admin');
    const { role: service } = await this.#call('POST', '/roles', { role: { name: 'service' } });
    for (const name of users) {
      const { user } = await this.#call('POST', '/users', {
        user: { name, password: this.password, domain_id: 'default' },
      });
      for (const role of [roles[0], service]) {
        await this.#call('PUT', `/projects/${project.id}/users/${user.id}/roles/${role.id}`);
      }
    }
    for (const [name, type, url] of services) {
      const made = await this.#call('POST', '/services', { service: { name, type } });
      for (const kind of ['public', 'internal', 'admin']) {
        const endpoint = { service_id: made.service.id, interface: kind, region_id: this.region, url };
        await this.#call('POST', '/endpoints', { endpoint });
      }
    }
  }

  /** A token of the administrator. */
  async token() {
    this.#token ??= await this.#login();
    return this.#token;
  }

  async #login() {
    const domain = { id: 'default' };
    const user = { name: 'admin', domain, password: this.password };
    const auth = {
      identity: { methods: ['password'], password: { user } },
      scope: { project: { name: 'admin', domain } },
    };
    const answer = await fetch(`${this.address}/auth/tokens`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ auth }),
    });
    if (answer.status !== 201) throw new Error(`login: ${answer.status} ${await answer.text()}`);
    return answer.headers.get('x-subject-token');
  }

  async #call(method, path, body) {
    const answer = await fetch(`${this.address}${path}`, {
      method,
      headers: { 'x-auth-token': await this.token(), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? null : JSON.parse(text);
  }
}
