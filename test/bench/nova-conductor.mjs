// A client that calls a scheduler over RabbitMQ like nova-conductor, for nova-calls.mjs.
import { randomUUID } from 'node:crypto';

const wrap = (title, version, data) => ({
  'nova_object.name': title,
  'nova_object.namespace': 'nova',
  'nova_object.version': version,
  'nova_object.data': data,
});

/** Arguments for a new server without special requests. */
const requestSpec = () =>
  wrap('RequestSpec', '1.14', {
    num_instances: 1,
    project_id: 'project',
    user_id: 'user',
    is_bfv: false,
    availability_zone: null,
    flavor: wrap('Flavor', '1.2', {
      id: 1,
      name: 'small',
      flavorid: 'small',
      memory_mb: 2_048,
      vcpus: 1,
      root_gb: 10,
      ephemeral_gb: 0,
      swap: 0,
      rxtx_factor: 1,
      vcpu_weight: 0,
      disabled: false,
      is_public: true,
      extra_specs: {},
    }),
    image: wrap('ImageMeta', '1.8', {
      id: '545fff69-5a4d-4cae-974e-92a37a3a5967',
      name: 'raw',
      status: 'active',
      container_format: 'bare',
      disk_format: 'raw',
      min_ram: 0,
      min_disk: 0,
      properties: wrap('ImageMetaProps', '1.34', {}),
    }),
    numa_topology: null,
    pci_requests: wrap('InstancePCIRequests', '1.1', { requests: [] }),
    requested_destination: null,
    requested_resources: [],
    request_level_params: wrap('RequestLevelParams', '1.1', {}),
    force_hosts: null,
    force_nodes: null,
    ignore_hosts: null,
    retry: null,
    instance_group: null,
    limits: wrap('SchedulerLimits', '1.0', {}),
    scheduler_hints: {},
    security_groups: wrap('SecurityGroupList', '1.1', { objects: [] }),
    network_metadata: wrap('NetworkMetadata', '1.0', { physnets: [], tunneled: false }),
    requested_networks: wrap('NetworkRequestList', '1.1', { objects: [] }),
  });

const contextOf = () => ({
  _unique_id: randomUUID().replaceAll('-', ''),
  _context_request_id: `req-${randomUUID()}`,
  _context_user_id: 'user',
  _context_project_id: 'project',
  _context_is_admin: true,
  _context_roles: ['admin'],
});

/** Calls `select_destinations` and waits for the reply. */
export class Conductor {
  #waiting = new Map();

  static async on(broker) {
    const caller = new Conductor();
    caller.broker = broker;
    caller.channel = await broker.createChannel();
    caller.queue = `reply_${randomUUID().replaceAll('-', '')}`;
    await caller.channel.assertQueue(caller.queue, { durable: false, arguments: { 'x-expires': 600_000 } });
    await caller.channel.consume(caller.queue, ({ content }) => caller.#receive(content), { noAck: true });
    return caller;
  }

  #receive(content) {
    const reply = JSON.parse(JSON.parse(content.toString())['oslo.message']);
    if (reply.ending) this.#waiting.get(reply._msg_id)?.(reply);
  }

  #publish(exchange, message) {
    const body = { 'oslo.version': '2.0', 'oslo.message': JSON.stringify({ ...message, ...contextOf() }) };
    const properties = { contentType: 'application/json', contentEncoding: 'utf-8', deliveryMode: 2 };
    this.channel.publish(exchange, 'scheduler', Buffer.from(JSON.stringify(body)), properties);
  }

  /** Returns the instance after its host was selected. */
  async select() {
    const instance = randomUUID();
    const id = randomUUID().replaceAll('-', '');
    const answered = new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('select_destinations: no reply within 180 s')), 180_000);
      this.#waiting.set(id, (reply) => {
        clearTimeout(late);
        resolve(reply);
      });
    });
    this.#publish('nova', {
      method: 'select_destinations',
      version: '4.5',
      args: { instance_uuids: [instance], spec_obj: requestSpec(), return_objects: true, return_alternates: true },
      _msg_id: id,
      _reply_q: this.queue,
      _timeout: 180,
    });
    const { failure } = await answered;
    this.#waiting.delete(id);
    if (failure) throw new Error(failure);
    return instance;
  }

  /** The message that a compute node sends to each scheduler every two minutes. */
  castInstances(host, instances) {
    this.#publish('scheduler_fanout', {
      method: 'sync_instance_info',
      version: '4.2',
      args: { host_name: host, instance_uuids: instances },
    });
  }

  async consumers() {
    const channel = await this.broker.createChannel();
    channel.on('error', () => undefined);
    const { consumerCount } = await channel.checkQueue('scheduler');
    await channel.close();
    return consumerCount;
  }
}
