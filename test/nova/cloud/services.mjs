// A cloud of real OpenStack services on one machine: Keystone, Glance, nova-api, nova-conductor and computes with the
// fake driver, RabbitMQ and MariaDB. Berth serves Placement; the scheduler is Berth or nova-scheduler.
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import mysql from 'mysql2/promise';
import { ini } from './ini.mjs';
import { Keystone } from './keystone.mjs';
import { startNetworkStub } from './network-stub.mjs';
import { freePort, Processes, run, until } from './processes.mjs';

const PASSWORD = 'nova-cloud';
const REGION = 'RegionOne';
const ADMIN = { password: PASSWORD, region: REGION };
const DATABASES = ['keystone', 'glance', 'api', 'cell0', 'cell1', 'placement'];

export class Cloud {
  #connection;
  #databases;
  #identity;
  #network;

  constructor({ folder, dist, mysql, scheduler, computes }) {
    this.folder = folder;
    this.dist = dist;
    this.mysql = new URL(mysql);
    this.scheduler = scheduler;
    this.computes = computes;
    this.processes = new Processes(folder);
    this.prefix = `berth_cloud_${process.pid}_`;
    this.started = new Map();
  }

  async start() {
    this.ports = {};
    for (const name of [
      'rabbit',
      'dist',
      'epmd',
      'keystone',
      'glance',
      'nova',
      'network',
      'berth',
      'scheduler',
      'second',
    ]) {
      this.ports[name] = await freePort();
    }
    await this.#step('databases', () => this.#makeDatabases());
    await Promise.all([
      this.#step('RabbitMQ', () => this.#startRabbit()),
      this.#step('Keystone', () => this.#startKeystone()),
    ]);
    await this.#step('Placement', () => this.#startPlacement());
    this.#network = await startNetworkStub(this.ports.network);
    await this.#step('Glance', () => this.#startGlance());
    await this.#step('the schema of nova', () => this.#makeNova());
    await this.#step('nova-conductor, nova-api', () => this.#startNova());
    await this.#step('computes', () => this.#startComputes());
    await this.#step(`the scheduler (${this.scheduler})`, () => this.startScheduler());
  }

  async stop() {
    await this.processes.endAll();
    // The port mapper of RabbitMQ stays; it refuses to end while it knows the node.
    const port = String(this.ports.epmd);
    await until('the end of epmd', () => run('epmd', ['-port', port, '-kill']).then(() => true), 10).catch(() => null);
    this.#network?.close();
    if (this.#databases) for (const name of DATABASES) await this.sql(`DROP DATABASE IF EXISTS ${this.#name(name)}`);
    await this.#connection?.end();
  }

  // ---- what scenarios use

  /** The rows of a statement, as arrays. */
  async sql(statement, database) {
    this.#connection ??= await mysql.createConnection({
      host: this.mysql.hostname,
      port: Number(this.mysql.port || 3306),
      user: this.mysql.username,
      password: decodeURIComponent(this.mysql.password),
      rowsAsArray: true,
    });
    if (database !== undefined) await this.#connection.query(`USE ${this.#name(database)}`);
    const [rows] = await this.#connection.query(statement);
    return rows;
  }

  /** Runs a command of Berth with the configuration of its scheduler; returns its status and output. */
  async berthCommand(...words) {
    const service = { BERTH_URL: `http://127.0.0.1:${this.ports.berth}`, BERTH_TOKEN: await this.token() };
    const env = { ...process.env, ...this.#berthEnvironment('scheduler'), BERTH_NOVA__ENABLED: 'true', ...service };
    const args = [join(this.dist, 'cli.js'), ...words];
    return run(process.execPath, args, { env, cwd: this.folder }).then(
      ({ stdout }) => ({ status: 0, output: stdout }),
      ({ code, stdout, stderr }) => ({ status: code, output: `${stdout}${stderr}` }),
    );
  }

  /** Ends the scheduler and starts the other one. */
  async switchTo(scheduler) {
    await this.endService('scheduler');
    this.scheduler = scheduler;
    await this.startScheduler();
  }

  /** Runs the openstack client; returns its JSON output. */
  async openstack(...words) {
    const env = { ...process.env, ...this.clientEnvironment() };
    const { stdout } = await run('openstack', [...words, '-f', 'json'], { env, maxBuffer: 16 * 1024 * 1024 });
    return stdout.trim() === '' ? null : JSON.parse(stdout);
  }

  /** A command of the client that prints nothing. */
  async openstackQuiet(...words) {
    await run('openstack', words, { env: { ...process.env, ...this.clientEnvironment() } });
  }

  clientEnvironment() {
    return {
      OS_AUTH_URL: `http://127.0.0.1:${this.ports.keystone}/v3`,
      OS_USERNAME: 'admin',
      OS_PASSWORD: PASSWORD,
      OS_PROJECT_NAME: 'admin',
      OS_USER_DOMAIN_ID: 'default',
      OS_PROJECT_DOMAIN_ID: 'default',
      OS_IDENTITY_API_VERSION: '3',
      OS_REGION_NAME: REGION,
      OS_COMPUTE_API_VERSION: '2.90',
      OS_PLACEMENT_API_VERSION: '1.39',
    };
  }

  token() {
    return this.#identity.token();
  }

  /** Calls Berth's API as the administrator. */
  async berth(path, { method = 'GET', body } = {}) {
    const answer = await fetch(`http://127.0.0.1:${this.ports.berth}${path}`, {
      method,
      headers: {
        'x-auth-token': await this.token(),
        'openstack-api-version': 'placement 1.39',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, document: text === '' ? null : JSON.parse(text) };
  }

  hasScheduler() {
    return this.#hasConsumer('scheduler');
  }

  signal(name, signal) {
    process.kill(-this.started.get(name).child.pid, signal);
  }

  async endService(name, signal) {
    const started = this.started.get(name);
    if (started !== undefined) await this.processes.end(started, signal);
    this.started.delete(name);
  }

  /** `name`: `scheduler`, or `second` for one more next to it. */
  async startScheduler(name = 'scheduler') {
    if (this.scheduler === 'nova') {
      this.started.set('scheduler', this.#python('nova-scheduler', 'nova.cmd.scheduler', ['nova.conf']));
      await until('nova-scheduler', async () => {
        const [[found]] = await this.sql(
          "SELECT COUNT(*) FROM services WHERE `binary` = 'nova-scheduler' AND last_seen_up",
          'cell1',
        );
        return Number(found) > 0 || this.processes.logOf('nova-scheduler').includes('Starting scheduler node');
      });
      return;
    }
    if (this.scheduler === 'berth') {
      const args = [join(this.dist, 'cli.js'), 'scheduler'];
      this.started.set(
        name,
        this.processes.start(`berth-${name}`, process.execPath, args, this.#berthEnvironment(name)),
      );
    }
    const wanted = ['scheduler', 'second'].filter((each) => this.started.has(each)).length;
    await until('the queue of the scheduler', () => this.#hasConsumer('scheduler', Math.max(1, wanted)));
  }

  // ---- parts

  async #step(title, work) {
    const from = performance.now();
    await work();
    process.stdout.write(`${((performance.now() - from) / 1000).toFixed(1).padStart(6)} s  ${title}\n`);
  }

  #name(database) {
    return `${this.prefix}${database}`;
  }

  #url(database) {
    const { hostname, port, username, password } = this.mysql;
    const user = password ? `${username}:${password}` : username;
    return `mysql+pymysql://${user}@${hostname}:${port || 3306}/${this.#name(database)}?charset=utf8`;
  }

  async #makeDatabases() {
    for (const name of DATABASES) {
      const charset = name === 'placement' ? 'utf8mb4' : 'utf8';
      await this.sql(`CREATE DATABASE ${this.#name(name)} CHARACTER SET ${charset}`);
    }
    this.#databases = true;
  }

  async #startRabbit() {
    const { rabbit, dist, epmd } = this.ports;
    const folder = join(this.folder, 'rabbit');
    mkdirSync(folder);
    writeFileSync(join(folder, 'enabled_plugins'), '[].\n');
    writeFileSync(join(folder, 'rabbitmq.conf'), `listeners.tcp.1 = 127.0.0.1:${rabbit}\n`);
    this.rabbitEnvironment = {
      HOME: folder,
      RABBITMQ_NODENAME: `berth${rabbit}@localhost`,
      RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
      RABBITMQ_DIST_PORT: String(dist),
      ERL_EPMD_PORT: String(epmd),
      RABBITMQ_MNESIA_BASE: folder,
      RABBITMQ_LOG_BASE: folder,
      RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
      RABBITMQ_PID_FILE: join(folder, 'pid'),
      RABBITMQ_CONF_ENV_FILE: '/dev/null',
    };
    await this.startRabbit();
  }

  /** Starts the broker, also again with the data of before. */
  async startRabbit() {
    this.started.set(
      'rabbit',
      this.processes.start('rabbit', '/usr/lib/rabbitmq/bin/rabbitmq-server', [], this.rabbitEnvironment),
    );
    await until('RabbitMQ', () => this.rabbitctl('await_startup', '--timeout', '5').then(() => true), 90);
  }

  rabbitctl(...words) {
    const env = { ...process.env, ...this.rabbitEnvironment };
    return run(
      '/usr/lib/rabbitmq/bin/rabbitmqctl',
      ['-q', '--node', this.rabbitEnvironment.RABBITMQ_NODENAME, ...words],
      { env },
    );
  }

  async #hasConsumer(queue, least = 1) {
    const { stdout } = await this.rabbitctl('list_queues', 'name', 'consumers');
    return stdout.split('\n').some((line) => {
      const [name, consumers] = line.trim().split(/\s+/);
      return name === queue && Number(consumers) >= least;
    });
  }

  async #startKeystone() {
    const connection = this.#url('keystone');
    this.#identity = new Keystone({ folder: this.folder, port: this.ports.keystone, connection, ...ADMIN });
    await this.#identity.start(this.processes);
    const { nova, glance, network, berth } = this.ports;
    await this.#identity.fill(
      ['nova', 'glance', 'placement', 'neutron'],
      [
        ['nova', 'compute', `http://127.0.0.1:${nova}/v2.1`],
        ['glance', 'image', `http://127.0.0.1:${glance}`],
        ['neutron', 'network', `http://127.0.0.1:${network}`],
        ['placement', 'placement', `http://127.0.0.1:${berth}`],
      ],
    );
  }

  #credentials(username) {
    return {
      auth_url: `http://127.0.0.1:${this.ports.keystone}/v3`,
      auth_type: 'password',
      username,
      password: PASSWORD,
      project_name: 'service',
      user_domain_id: 'default',
      project_domain_id: 'default',
      region_name: REGION,
    };
  }

  /** The configuration of Berth, as its variables. `part`: the file of its log and its port. */
  #berthEnvironment(part) {
    const { hostname, port, username, password } = this.mysql;
    const user = password ? `${username}:${password}` : username;
    const credentials = this.#credentials('placement');
    const keystone = Object.entries({ www_authenticate_uri: credentials.auth_url, ...credentials });
    return {
      BERTH_PLACEMENT_DATABASE__CONNECTION: `mysql://${user}@${hostname}:${port || 3306}/${this.#name('placement')}`,
      BERTH_API__AUTH_STRATEGY: 'keystone',
      PORT: String(this.ports[part]),
      BERTH_NOVA__CONFIG_FILE: join(this.folder, 'nova.conf'),
      BERTH_NOVA__RELEASE: '26',
      ...Object.fromEntries(
        keystone.map(([name, value]) => [`BERTH_KEYSTONE_AUTHTOKEN__${name.toUpperCase()}`, value]),
      ),
    };
  }

  async #startPlacement() {
    const environment = this.#berthEnvironment('berth');
    // `berth-inside`: the scheduler runs in the process that serves Placement.
    const inside = this.scheduler === 'berth-inside' ? { BERTH_NOVA__ENABLED: 'true' } : {};
    this.placementEnvironment = { ...environment, ...inside };
    await this.startPlacement();
  }

  async startPlacement() {
    const main = join(this.dist, 'main.js');
    this.started.set('berth', this.processes.start('berth', process.execPath, [main], this.placementEnvironment));
    await until('Berth', () => fetch(`http://127.0.0.1:${this.ports.berth}/`).then(({ ok }) => ok));
  }

  async #startGlance() {
    const images = join(this.folder, 'images');
    mkdirSync(images);
    const file = join(this.folder, 'glance-api.conf');
    const sections = {
      DEFAULT: {
        bind_host: '127.0.0.1',
        bind_port: this.ports.glance,
        workers: 1,
        log_file: join(this.folder, 'glance-service.log'),
      },
      database: { connection: this.#url('glance') },
      glance_store: { stores: 'file', default_store: 'file', filesystem_store_datadir: images },
      keystone_authtoken: {
        www_authenticate_uri: this.#credentials('glance').auth_url,
        ...this.#credentials('glance'),
      },
      paste_deploy: { flavor: 'keystone' },
    };
    writeFileSync(file, ini(sections));
    await run('glance-manage', ['--config-file', file, 'db_sync']);
    this.processes.start('glance', 'glance-api', ['--config-file', file]);
    await until('Glance', () => fetch(`http://127.0.0.1:${this.ports.glance}/`).then(({ status }) => status === 300));
  }

  get transportUrl() {
    return `rabbit://guest:guest@127.0.0.1:${this.ports.rabbit}/`;
  }

  #novaSections(host) {
    const { nova } = this.ports;
    const state = join(this.folder, host);
    mkdirSync(join(state, 'locks'), { recursive: true });
    mkdirSync(join(state, 'instances'), { recursive: true });
    return {
      DEFAULT: {
        host,
        my_ip: '127.0.0.1',
        transport_url: this.transportUrl,
        state_path: state,
        compute_driver: 'fake.FakeLiveMigrateDriver',
        osapi_compute_listen: '127.0.0.1',
        osapi_compute_listen_port: nova,
        osapi_compute_workers: 1,
        enabled_apis: 'osapi_compute',
        allow_resize_to_same_host: 'false',
        service_down_time: 15,
        report_interval: 3,
        update_resources_interval: 5,
        scheduler_instance_sync_interval: 20,
        debug: 'true',
      },
      api: { auth_strategy: 'keystone' },
      api_database: { connection: this.#url('api') },
      database: { connection: this.#url('cell1') },
      quota: { instances: -1, cores: -1, ram: -1 },
      wsgi: { api_paste_config: join(import.meta.dirname, 'api-paste.ini') },
      conductor: { workers: 1 },
      scheduler: { workers: 1 },
      filter_scheduler: {
        enabled_filters:
          'ComputeFilter,ComputeCapabilitiesFilter,ImagePropertiesFilter,ServerGroupAntiAffinityFilter,ServerGroupAffinityFilter,AggregateInstanceExtraSpecsFilter',
      },
      keystone_authtoken: { www_authenticate_uri: this.#credentials('nova').auth_url, ...this.#credentials('nova') },
      placement: this.#credentials('placement'),
      neutron: this.#credentials('neutron'),
      glance: { ...this.#credentials('glance'), api_servers: `http://127.0.0.1:${this.ports.glance}` },
      oslo_concurrency: { lock_path: join(state, 'locks') },
      vnc: { enabled: 'false' },
      compute: { resource_provider_association_refresh: 5 },
    };
  }

  async #makeNova() {
    writeFileSync(join(this.folder, 'nova.conf'), ini(this.#novaSections('control')));
    const manage = (...words) => this.novaManage(...words);
    await manage('api_db', 'sync');
    await manage('cell_v2', 'map_cell0', '--database_connection', this.#url('cell0'));
    await manage(
      'cell_v2',
      'create_cell',
      '--name',
      'cell1',
      '--database_connection',
      this.#url('cell1'),
      '--transport-url',
      this.transportUrl,
    );
    await manage('db', 'sync');
  }

  novaManage(...words) {
    const script = 'import sys; from nova.cmd.manage import main; sys.argv[0] = "nova-manage"; sys.exit(main())';
    return run('/usr/bin/python3', ['-c', script, '--config-file', join(this.folder, 'nova.conf'), ...words]);
  }

  #python(name, module, files, extra = []) {
    const script = `import sys; from ${module} import main; sys.argv[0] = "${name.replace(/[0-9]+$/, '')}"; main()`;
    const configs = files.flatMap((file) => ['--config-file', join(this.folder, file)]);
    return this.processes.start(name, '/usr/bin/python3', ['-c', script, ...configs, ...extra]);
  }

  async #startNova() {
    this.started.set('conductor', this.#python('nova-conductor', 'nova.cmd.conductor', ['nova.conf']));
    this.started.set('api', this.#python('nova-api', 'nova.cmd.api_os_compute', ['nova.conf']));
    await until('nova-api', () => fetch(`http://127.0.0.1:${this.ports.nova}/`).then(({ ok }) => ok), 90);
    await until('nova-conductor', () => this.#hasConsumer('conductor'), 90);
  }

  startCompute(host) {
    const file = `nova-${host}.conf`;
    writeFileSync(join(this.folder, file), ini(this.#novaSections(host)));
    this.started.set(host, this.#python(`nova-compute-${host}`, 'nova.cmd.compute', [file]));
  }

  async #startComputes() {
    for (const host of this.computes) this.startCompute(host);
    await until(
      'the services of the computes',
      async () => {
        const [[found]] = await this.sql('SELECT COUNT(*) FROM compute_nodes WHERE deleted = 0', 'cell1');
        return Number(found) === this.computes.length;
      },
      120,
    );
    await this.novaManage('cell_v2', 'discover_hosts');
  }
}

export const newUuid = randomUUID;
