// Requests from a seed. Valid requests follow the schemas of the routes and the grammars of queries, on a small set of
// recurring names. Then one to three places are corrupted. `bytes` makes input that is hardly HTTP.
import { dice } from '../bench/worlds.mjs';
import { HEADERS, ODD_KEYS, ODD_VALUES } from './odd-values.mjs';

const numbered = (count, name) => Array.from({ length: count }, (_, at) => name(at));
const uuid = (kind) => (at) => `${kind}-0000-4000-8000-${String(at).padStart(12, '0')}`;
export const PROVIDERS = numbered(8, uuid('aaaaaaaa'));
const CONSUMERS = numbered(6, uuid('cccccccc'));
const AGGREGATES = numbered(4, uuid('bbbbbbbb'));
const THINGS = numbered(4, uuid('dddddddd'));
const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB', 'CUSTOM_A', 'CUSTOM_B', 'NO_SUCH'];
const TRAITS = ['HW_CPU_X86_AVX2', 'CUSTOM_FAST', 'CUSTOM_SLOW', 'COMPUTE_NODE', 'NO_SUCH'];
const HOSTS = ['host-1', 'host-2', 'host-3', 'höst 4', '.', 'a/b'];
const NAMES = numbered(20, (at) => `name-${at}`);

const POWERFUL = (version) => ({
  'x-auth-token': 'admin',
  'x-roles': 'admin,service',
  'openstack-api-version': `placement ${version}`,
});

export class Requests {
  constructor(seed, routes) {
    this.random = dice(seed);
    this.routes = routes.filter(({ method }) => method !== undefined);
  }

  below = (count) => Math.floor(this.random() * count);
  pick = (list) => list[this.below(list.length)];
  chance = (share) => this.random() < share;

  /** Requests that create the objects which the other requests name; also sent again after these were deleted. */
  world() {
    const write = (method, path, body) => this.finished({ method, path, query: [], headers: POWERFUL('1.39'), body });
    const record = { total: 64, max_unit: 64 };
    return [
      ...['CUSTOM_A', 'CUSTOM_B'].map((name) => write('PUT', `/resource_classes/${name}`)),
      ...['CUSTOM_FAST', 'CUSTOM_SLOW'].map((name) => write('PUT', `/traits/${name}`)),
      ...PROVIDERS.flatMap((uuid, at) => [
        write('POST', '/resource_providers', {
          uuid,
          name: `host-${at}`,
          ...(at > 4 && { parent_provider_uuid: PROVIDERS[at - 4] }),
        }),
        ...['VCPU', 'MEMORY_MB', 'CUSTOM_A'].map((name) =>
          write('POST', `/resource_providers/${uuid}/inventories`, { ...record, resource_class: name }),
        ),
      ]),
      ...THINGS.flatMap((thing) => [
        write('POST', '/scheduler/flavors', { id: thing, name: 'small', vcpus: 1, memory_mb: 1 }),
        write('POST', '/scheduler/images', { uuid: thing }),
        write('POST', '/scheduler/host_aggregates', { uuid: thing, name: 'row' }),
        write('POST', '/scheduler/server_groups', { uuid: thing, name: 'group', policy: 'anti-affinity' }),
      ]),
      ...numbered(4, (at) => write('PUT', `/scheduler/hosts/host-${at}/host-${at}`, { uuid: PROVIDERS[at] })),
    ];
  }

  next() {
    const drawn = this.pick(this.routes);
    // Requests to a deleted object test little, so most DELETEs are replaced.
    const route = drawn.method === 'DELETE' && this.chance(0.6) ? this.pick(this.routes) : drawn;
    const version = this.pick(['1.0', '1.12', '1.20', '1.28', '1.36', '1.39', '1.39', '1.39']);
    const made = {
      method: route.method,
      path: route.path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(this.inPath(route.path, name))),
      query: route.query ? this.query(route, nearest(route.query, version)) : this.freeQuery(route),
      headers: POWERFUL(version),
      body: route.body ? this.value(nearest(route.body, version), '') : route.fields ? this.document(route) : undefined,
    };
    if (this.chance(0.7)) for (let left = 1 + this.below(3); left > 0; left -= 1) this.spoil(made);
    return this.finished(made);
  }

  /** The request with its full path and its body as text. */
  finished({ method, path, query: given, headers, body, text }) {
    // A stream that begins now never ends, and its request would get no answer. A stream from an unknown position is
    // refused.
    const isEndless = path === '/reports/changes' && !given.some(([name]) => name === 'position');
    const query = isEndless ? [...given, ['position', 'nowhere']] : given;
    const pairs = query.map(([name, value]) => `${name}=${value}`).join('&');
    const payload = text ?? (body === undefined ? undefined : JSON.stringify(body));
    const type = payload === undefined ? {} : { 'content-type': 'application/json' };
    return { method, path: pairs === '' ? path : `${path}?${pairs}`, headers: { ...type, ...headers }, payload };
  }

  inPath(path, name) {
    if (path.startsWith('/resource_providers')) return this.pick(name === 'resource_class' ? CLASSES : PROVIDERS);
    if (path.startsWith('/resource_classes')) return this.pick(CLASSES);
    if (path.startsWith('/traits')) return this.pick(TRAITS);
    if (path.startsWith('/allocations')) return this.pick(CONSUMERS);
    if (name === 'host' || name === 'node') return this.pick(HOSTS);
    return this.pick(THINGS);
  }

  // --- queries

  query(_route, schema) {
    const names = Object.keys(schema.properties ?? {}).filter(
      (name) => (schema.required ?? []).includes(name) || this.chance(0.3),
    );
    const suffixed = Object.keys(schema.patternProperties ?? {}).length > 0 && this.chance(0.5);
    const groups = suffixed
      ? ['resources', 'required', 'member_of', 'in_tree'].map((name) => `${name}${this.pick(['1', '2', '_a', '-'])}`)
      : [];
    return [...names, ...groups.filter(() => this.chance(0.6))].map((name) => [name, this.grammar(name)]);
  }

  freeQuery({ method }) {
    if (method !== 'GET' || this.chance(0.7)) return [];
    const name = this.pick([
      'limit',
      'marker',
      'project_id',
      'host',
      'flavor',
      'name',
      'uuid',
      'fields',
      'state',
      'resources',
    ]);
    return [[name, this.grammar(name)]];
  }

  grammar(name) {
    const base = name.replace(/(?<=resources|required|member_of|in_tree)[-_0-9a-zA-Z]+$/, '');
    const some = (list) => numbered(1 + this.below(3), () => this.pick(list));
    switch (base) {
      case 'resources':
        return some(CLASSES)
          .map((each) => `${each}:${1 + this.below(9)}`)
          .join(',');
      case 'required':
        return this.chance(0.3)
          ? `in:${some(TRAITS)}`
          : some(TRAITS)
              .map((each) => (this.chance(0.3) ? `!${each}` : each))
              .join(',');
      case 'root_required':
        return some(TRAITS)
          .map((each) => (this.chance(0.3) ? `!${each}` : each))
          .join(',');
      case 'member_of':
        return `${this.chance(0.2) ? '!' : ''}${this.chance(0.5) ? `in:${some(AGGREGATES)}` : this.pick(AGGREGATES)}`;
      case 'limit':
        return String(1 + this.below(50));
      case 'group_policy':
        return this.pick(['none', 'isolate']);
      case 'same_subtree':
        return some(['_a', '1', '2', '']).join(',');
      case 'associated':
        return this.pick(['true', 'false']);
      case 'name':
        return this.chance(0.5) ? `startswith:CUSTOM` : this.pick(NAMES);
      case 'project_id':
      case 'user_id':
        return this.pick(['p', 'q']);
      default:
        return this.pick([...PROVIDERS, ...THINGS, ...HOSTS.map(encodeURIComponent)]);
    }
  }

  // --- bodies

  /** A value that the schema usually accepts. */
  value(schema, name, depth = 0) {
    if (schema === true || schema === undefined || depth > 12) return this.named(name) ?? 'x';
    const [choice] = [schema.oneOf ?? schema.anyOf];
    if (choice)
      return this.value({ ...schema, oneOf: undefined, anyOf: undefined, ...this.pick(choice) }, name, depth + 1);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return this.pick(schema.enum);
    switch (Array.isArray(schema.type) ? this.pick(schema.type) : schema.type) {
      case 'object':
        return this.object(schema, name, depth);
      case 'array':
        return numbered((schema.minItems ?? 0) + this.below(3), () => this.value(schema.items, name, depth + 1));
      case 'integer':
        return name.endsWith('generation') ? this.below(6) : this.number(schema);
      case 'number':
        return this.pick([1, 1.5, 16, this.number(schema)]);
      case 'boolean':
        return this.chance(0.5);
      case 'null':
        return null;
      default:
        return this.named(name) ?? (schema.format === 'uuid-like' ? this.pick(PROVIDERS) : this.pick(CLASSES));
    }
  }

  number = ({ minimum = 0, maximum = 2_147_483_647 }) =>
    this.pick([minimum, minimum + 1, minimum + this.below(64), Math.min(maximum, 1_000), maximum]);

  object(schema, name, depth) {
    const required = new Set(schema.required ?? []);
    const own = Object.entries(schema.properties ?? {}).filter(([key]) => required.has(key) || this.chance(0.5));
    const made = Object.fromEntries(own.map(([key, each]) => [key, this.value(each, key, depth + 1)]));
    const [patterned] = Object.entries(schema.patternProperties ?? {});
    if (patterned) {
      for (let left = (schema.minProperties ?? 0) + this.below(3); left > 0; left -= 1) {
        made[this.key(name, depth)] = this.value(patterned[1], name, depth + 1);
      }
    }
    return made;
  }

  key(name, depth) {
    if (name === 'resources' || (name === 'inventories' && depth > 2)) return this.pick(CLASSES);
    if ((name === 'allocations' && depth > 2) || name === 'inventories')
      return this.pick(this.chance(0.5) ? PROVIDERS : CLASSES);
    return this.pick(this.chance(0.5) ? CONSUMERS : PROVIDERS);
  }

  named(name) {
    if (name === 'name') return this.pick([...NAMES, ...CLASSES, ...TRAITS]);
    if (/^(uuid|parent_provider_uuid|in_tree)$/.test(name)) return this.pick(PROVIDERS);
    if (name === 'aggregates') return this.pick(AGGREGATES);
    if (name === 'traits' || name === 'required') return this.pick(TRAITS);
    if (name === 'resource_class') return this.pick(CLASSES);
    if (name === 'project_id' || name === 'user_id') return this.pick(['p', 'q']);
    if (name === 'consumer_type') return this.pick(['INSTANCE', 'MIGRATION', 'unknown']);
    return undefined;
  }

  /** A document of the scheduler API: some of its fields, with typical values. */
  document({ fields }) {
    const often = new Set([
      'flavor',
      'name',
      'policy',
      'project_id',
      'user_id',
      'num_instances',
      'vcpus',
      'memory_mb',
      'host',
      'extra_specs',
      'metadata',
      'request',
    ]);
    const chosen = fields.filter((field) => this.chance(often.has(field) ? 0.9 : 0.15));
    return Object.fromEntries(chosen.map((field) => [field, this.field(field)]));
  }

  field(name) {
    switch (name) {
      case 'flavor':
        return this.chance(0.5)
          ? this.pick(THINGS)
          : { vcpus: 1, memory_mb: 64, root_gb: this.below(9), extra_specs: this.specs() };
      case 'image':
        return this.chance(0.5) ? this.pick(THINGS) : { properties: { hw_numa_nodes: this.pick(['1', '2', 'x']) } };
      case 'extra_specs':
      case 'metadata':
      case 'properties':
        return this.specs();
      case 'policy':
        return this.pick(['affinity', 'anti-affinity', 'soft-affinity', 'soft-anti-affinity']);
      case 'request':
        return { flavor: { vcpus: 1, memory_mb: 1 }, num_instances: 1, project_id: 'p', user_id: 'u' };
      case 'hosts':
      case 'ignore_hosts':
        return [this.pick(HOSTS)];
      case 'instances':
      case 'members':
        return [this.pick(CONSUMERS)];
      case 'scheduler_hints':
        return {
          [this.pick(['group', 'query', 'different_host', 'same_host'])]: this.pick([
            THINGS[0],
            '["=","$free_ram_mb",1]',
            [CONSUMERS[0]],
          ]),
        };
      case 'numa_topology':
        return { cells: [{ id: 0, cpuset: [0, 1], pcpuset: [2], memory: 64, mempages: [], siblings: [] }] };
      case 'project_id':
      case 'user_id':
        return this.pick(['p', 'q']);
      case 'host':
      case 'node':
        return this.pick(HOSTS);
      case 'name':
        return this.pick(NAMES);
      case 'id':
      case 'uuid':
        return this.pick(THINGS);
      case 'status':
        return this.pick(['enabled', 'disabled']);
      default:
        return this.pick([1, this.below(100), ...(/uuid/.test(name) ? [this.pick(THINGS)] : [])]);
    }
  }

  specs = () => ({
    [this.pick([
      'hw:cpu_policy',
      'resources:VCPU',
      'trait:CUSTOM_FAST',
      'hw:numa_nodes',
      'pci_passthrough:alias',
      'hw:cpu_dedicated_mask',
      'resources_a:CUSTOM_A',
    ])]: this.pick(['dedicated', '1', 'required', '2', 'a:1', '^0-1', 'forbidden', '0-4096']),
  });

  // --- spoiling

  spoil(made) {
    const ways = [
      () => this.spoilBody(made),
      () => this.spoilBody(made),
      () => this.spoilBody(made),
      () => this.spoilQuery(made),
      () => this.spoilQuery(made),
      () => this.spoilPath(made),
      () => void Object.assign(made.headers, this.pick(HEADERS)),
      () => void (made.method = this.pick(['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'])),
    ];
    this.pick(ways)();
  }

  spoilBody(made) {
    if (made.body === undefined || this.chance(0.05)) return void (made.text = this.noJson());
    const places = [];
    const walk = (holder, depth) => {
      for (const key of Object.keys(holder)) {
        places.push([holder, key]);
        const isHolder = typeof holder[key] === 'object' && holder[key] !== null && !Buffer.isBuffer(holder[key]);
        if (isHolder && depth < 8) walk(holder[key], depth + 1);
      }
    };
    walk(made, 0);
    const inside = places.filter(([holder, key]) => holder !== made || key === 'body');
    const within = inside.filter(
      ([holder]) => holder !== made.headers && !made.query.includes(holder) && holder !== made.query,
    );
    const [holder, key] = this.pick(within);
    const way = this.below(6);
    if (way === 0 && holder !== made) delete holder[key];
    else if (way === 1 && typeof holder[key] === 'object' && holder[key] !== null && !Array.isArray(holder[key])) {
      Object.defineProperty(holder[key], this.pick(ODD_KEYS), {
        // A copy, because a later corruption can change the inserted value.
        value: structuredClone(this.pick(ODD_VALUES)),
        enumerable: true,
        writable: true,
        configurable: true,
      });
    } else if (way === 2) holder[key] = [holder[key]];
    else if (way === 3 && Array.isArray(holder[key]))
      holder[key] = numbered(200, () => structuredClone(holder[key][0] ?? this.pick(ODD_VALUES)));
    else holder[key] = structuredClone(this.pick(ODD_VALUES));
  }

  noJson() {
    return this.pick([
      '',
      '{',
      '[]',
      'null',
      '"x"',
      '1e999',
      '{"a":1e999}',
      'NaN',
      '{"a":NaN}',
      '\ufeff{}',
      '{"a":1,}',
      "{'a':1}",
      `${'['.repeat(100_000)}`,
      `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`,
      `{"a":${'9'.repeat(50_000)}}`,
      '{"a":"\\ud800"}',
      '{"a":"\\u0000"}',
      '{"__proto__":{"a":1}}',
      `{${'"a":1,'.repeat(5_000)}"b":2}`,
      '{"a":-0}',
      Buffer.from([0x7b, 0x22, 0xc3, 0x28, 0x22, 0x3a, 0x31, 0x7d]),
      Buffer.from([0xff, 0xfe, 0x7b, 0x00]),
    ]);
  }

  spoilQuery(made) {
    const way = this.below(4);
    const odd = () => {
      const value = this.pick(ODD_VALUES);
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return this.chance(0.8)
        ? encodeURIComponent(text.toWellFormed?.() ?? text.replaceAll(/[\ud800-\udfff]/g, ''))
        : '%ff%fe%';
    };
    if (way === 0) made.query.push([encodeURIComponent(this.pick(ODD_KEYS)), odd()]);
    else if (made.query.length === 0)
      made.query.push([this.pick(['resources', 'limit', 'uuid', 'required7', 'in_tree', 'name']), odd()]);
    else if (way === 1) this.pick(made.query)[1] = odd();
    else if (way === 2) made.query.push([...this.pick(made.query)]);
    else this.pick(made.query)[0] += this.pick(['1', '_x', '%00', '[]', '.a', '-'.repeat(64)]);
  }

  spoilPath(made) {
    const parts = made.path.split('/');
    parts[1 + this.below(Math.max(1, parts.length - 1))] = this.pick(
      ['', '.', '..', '%2f', '%00', '%ff', '%', 'x'.repeat(5_000), '🐎', '%F0%9F', '*', ':uuid', '__proto__'].map(
        encodedPart,
      ),
    );
    made.path = parts.join('/') || '/';
  }

  // --- bytes

  /** Raw text that is written to a socket unchanged. */
  bytes() {
    const path = this.pick(['/', '/resource_providers', '/allocations', '/scheduler/select_destinations', '/healthz']);
    const head = `x-auth-token: admin\r\nx-roles: admin,service\r\nopenstack-api-version: placement 1.39\r\n`;
    const post = (headers, body = '') => `POST ${path} HTTP/1.1\r\nhost: x\r\n${head}${headers}\r\n${body}`;
    const json = 'content-type: application/json\r\n';
    const chunk = (text) => `${text.length.toString(16)}\r\n${text}\r\n`;
    const made = this.pick([
      () =>
        post(
          `${json}content-length: ${this.pick(['-1', '1e3', '0x10', '99999999999999999999', '5, 5', ' ', '+5'])}\r\n`,
          '{"a":1}',
        ),
      () => post(`${json}content-length: 3\r\ncontent-length: 4\r\n`, '{"a"'),
      () => post(`${json}content-length: 3\r\ntransfer-encoding: chunked\r\n`, `${chunk('{}')}0\r\n\r\n`),
      () =>
        post(
          `${json}transfer-encoding: ${this.pick(['chunked', 'chunked, chunked', 'gzip', 'xchunked', 'chunked, identity'])}\r\n`,
          `${chunk('{"a":')}${chunk('1}')}0\r\n\r\n`,
        ),
      () =>
        post(
          `${json}transfer-encoding: chunked\r\n`,
          `${this.pick(['z', 'ffffffffffffffffff', '-1', '5;x=y', '\r\n', `1;${'e'.repeat(20_000)}`])}\r\n{}\r\n0\r\n\r\n`,
        ),
      () => post(`${json}content-length: 100000\r\n`, '{"half":'),
      () => post(`${json}content-length: 4000000000\r\n`, '{}'),
      () => post(`${json}expect: ${this.pick(['100-continue', '200-never'])}\r\ncontent-length: 2\r\n`, '{}'),
      () =>
        Buffer.concat([
          Buffer.from(post(`${json}content-length: 8\r\n`)),
          Buffer.from([0x7b, 0x22, 0xff, 0xc0, 0xaf, 0x22, 0x3a, 0x7d]),
        ]),
      () => `GET ${path} HTTP/1.1\r\nhost: x\r\n${head}\r\n`.repeat(1 + this.below(40)),
      () => `GET ${path} HTTP/1.1\r\nhost: x\r\n${head}x: ${'a'.repeat(this.pick([100, 9_000, 70_000]))}\r\n\r\n`,
      () => `GET ${path} HTTP/1.1\r\nhost: x\r\n${'a: b\r\n'.repeat(this.pick([10, 500, 3_000]))}${head}\r\n`,
      () => `GET ${path}?${'a=b&'.repeat(this.pick([10, 1_000, 5_000]))} HTTP/1.1\r\nhost: x\r\n${head}\r\n`,
      () => `GET /${'a/'.repeat(this.pick([10, 1_000, 5_000]))} HTTP/1.1\r\nhost: x\r\n${head}\r\n`,
      () =>
        `${this.pick(['get', 'G\0T', 'PRI', 'CONNECT', '', 'X'.repeat(3_000), 'GET\t'])} ${path} HTTP/1.1\r\nhost: x\r\n\r\n`,
      () => `GET ${path} HTTP/${this.pick(['0.9', '1.2', '2.0', '9.9', 'x', '1.1 '])}\r\nhost: x\r\n${head}\r\n`,
      () =>
        `GET ${path} HTTP/1.1\r\n${this.pick(['host', ': x', 'ho st: x', 'host:x\r\nhost: y', 'a\0b: c', ' folded: x', 'é: x'])}\r\n\r\n`,
      () => `GET ${path} HTTP/1.1\nhost: x\n${head.replaceAll('\r', '')}\n`,
      () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`,
      () => Buffer.from(numbered(1 + this.below(400), () => this.below(256))),
      () => Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
    ])();
    if (!this.chance(0.3)) return Buffer.from(made);
    const spoilt = Buffer.from(made);
    for (let left = 1 + this.below(3); left > 0 && spoilt.length > 0; left -= 1)
      spoilt[this.below(spoilt.length)] = this.below(256);
    return spoilt;
  }
}

const encodedPart = (part) => (/^[\x21-\x7e]*$/.test(part) ? part : encodeURIComponent(part));

function nearest(byVersion, version) {
  const minor = (text) => Number(text.split('.')[1]);
  const known = Object.keys(byVersion).filter((text) => minor(text) <= minor(version));
  return byVersion[known.at(-1)];
}
