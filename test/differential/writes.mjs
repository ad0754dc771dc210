// Random writes and reads on small clouds: the generator of the property tests, with unique names per cloud. After a
// write, the affected objects are read from both services. A cloud is abandoned when a known difference leaves the two
// in different states.
import { namesFor } from './names.mjs';
import { importTypeScript } from './support.mjs';

const STEPS_PER_CLOUD = 120;

export async function randomWrites(pair, { requests, seed }, atOnce = 3) {
  const { Chances, POOL, randomStep, rendered } = await importTypeScript('../support/random-requests.ts');
  let left = Number(requests);
  let clouds = 0;
  const live = async () => {
    while (left > 0) {
      const number = clouds++;
      const chances = new Chances(Number(seed) + number * 7919);
      const cloud = new SmallCloud(pair.another(number), chances, POOL);
      await cloud.begin();
      for (let step = 0; step < STEPS_PER_CLOUD && left > 0 && !cloud.isApart; step += 1) {
        left -= 1;
        await cloud.write(rendered(randomStep(cloud, chances)));
        if (chances.isLikely(0.3)) await cloud.look();
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, live));
  return `${clouds} clouds, ${requests} writes and what they touched`;
}

/** The known state of one small cloud, read from Berth; answers the generator's queries. */
class SmallCloud {
  isApart = false;
  #known = new Map();
  #owners = new Map();

  constructor(pair, chances, pool) {
    this.pair = pair;
    this.chances = chances;
    this.pool = pool;
    this.names = namesFor(pair.tag);
  }

  providers = () => [...this.#known.keys()];
  generationOf = (uuid) => this.#known.get(uuid)?.generation ?? 0;
  parentOf = (uuid) => this.#known.get(uuid)?.parent ?? null;
  classesOf = (uuid) => Object.keys(this.#known.get(uuid)?.records ?? {});
  roomOf = (uuid, name) => this.#known.get(uuid)?.records[name]?.room ?? 0;
  consumerGeneration = (consumer) => this.#owners.get(consumer) ?? null;
  consumers = () => [...this.#owners.keys()];
  classes = () => [...this.pool.standardClasses, ...this.pool.customClasses.slice(0, 2)];
  traits = () => [...this.pool.standardTraits, ...this.pool.customTraits];

  async begin() {
    for (const name of this.pool.customClasses.slice(0, 2))
      await this.#ask('PUT', `/resource_classes/${this.#own(name)}`);
    for (const name of this.pool.customTraits) await this.#ask('PUT', `/traits/${this.#own(name)}`);
  }

  /** Sends the write, then reads the objects it named. */
  async write({ method, path, version, body, headers }) {
    const minor = Number(version.split('.')[1]);
    const text = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const isHalf = typeof body === 'string';
    const own = text === undefined ? undefined : this.#own(text);
    const wanted = { minor, ...(own !== undefined && (isHalf ? { raw: own } : { body: JSON.parse(own) })), headers };
    const { isApart } = await this.pair.ask(method, this.#own(path), wanted);
    this.isApart ||= isApart;
    if (this.isApart) return;
    const named = `${path} ${text ?? ''}`.toLowerCase();
    for (const uuid of this.pool.providers) if (named.includes(uuid)) await this.#readProvider(uuid, minor);
    for (const uuid of this.pool.consumers) if (named.includes(uuid)) await this.#readConsumer(uuid);
    if (/^\/(?:allocations|reshaper)/.test(path))
      for (const uuid of this.providers()) await this.#readProvider(uuid, 39);
  }

  async #readProvider(uuid, minor) {
    const path = `/resource_providers/${this.#own(uuid)}`;
    const { berth, status } = await this.#ask('GET', path);
    if (status !== 200) {
      this.#known.delete(uuid);
      return;
    }
    const { berth: stock } = await this.#ask('GET', `${path}/inventories`);
    const { berth: usage } = await this.#ask('GET', `${path}/usages`);
    const part = this.chances.one(['aggregates', 'traits', 'allocations', '']);
    await this.#ask('GET', part === '' ? path : `${path}/${part}`, minor);
    const records = Object.entries(stock?.inventories ?? {}).map(([name, record]) => {
      const capacity = Math.trunc((record.total - record.reserved) * record.allocation_ratio);
      return [this.#plain(name), { room: Math.max(0, capacity - (usage?.usages?.[name] ?? 0)) }];
    });
    const parent = berth.parent_provider_uuid === null ? null : this.#plain(berth.parent_provider_uuid);
    this.#known.set(uuid, { generation: berth.generation, parent, records: Object.fromEntries(records) });
  }

  async #readConsumer(uuid) {
    const { berth } = await this.#ask('GET', `/allocations/${this.#own(uuid)}`);
    if (berth?.consumer_generation === undefined) this.#owners.delete(uuid);
    else this.#owners.set(uuid, berth.consumer_generation);
  }

  /** A read that spans providers. */
  async look() {
    const { chances, pool } = this;
    const uuid = chances.one(pool.providers);
    const aggregates = pool.aggregates;
    const trait = () => `${chances.one(['', '', '!'])}${chances.one([...pool.standardTraits, ...pool.customTraits])}`;
    const name = () => chances.one([...pool.standardClasses, 'CUSTOM_A', 'CUSTOM_B']);
    const project = encodeURIComponent(chances.one(pool.projects));
    const one = chances.one([
      `/resource_providers?in_tree=${uuid}`,
      `/resource_providers?member_of=${chances.one(aggregates)}`,
      `/resource_providers?member_of=in:${chances.one(aggregates)},${chances.one(aggregates)}&resources=${name()}:2`,
      `/resource_providers?member_of=!${chances.one(aggregates)}&in_tree=${uuid}`,
      `/resource_providers?resources=${name()}:${chances.integer(1, 6)},${name()}:1`,
      `/resource_providers?required=${trait()}&required=${trait()}`,
      `/resource_providers?required=${trait()},${trait()}&in_tree=${uuid}`,
      `/resource_providers?uuid=${uuid}`,
      '/resource_providers',
      `/usages?project_id=${project}`,
      `/usages?project_id=${project}&user_id=${encodeURIComponent(chances.one(pool.users))}`,
      `/usages?project_id=${project}&consumer_type=${chances.one(['all', 'unknown', ...pool.types])}`,
      '/traits?associated=true&name=startswith:CUSTOM_',
      '/traits?associated=false&name=startswith:CUSTOM_',
      '/resource_classes',
    ]);
    await this.#ask('GET', this.#own(one), chances.isLikely(0.4) ? 39 : chances.integer(0, 39));
  }

  async #ask(method, path, minor = 39) {
    const answer = await this.pair.ask(method, path, { minor });
    this.isApart ||= answer.isApart;
    return answer;
  }

  /** Maps the generator's names to those of this cloud. */
  #own(text) {
    // The reference fails for characters outside the basic plane; the tour shows that once.
    return text
      .replaceAll('🐎', 'ponī')
      .replace(/([ace])\1{7}-0000-4000-8000-00000000(000\d)/gi, (_, kind, at) =>
        this.names.uuid(kind, 1000 + Number(at)),
      )
      .replace(/CUSTOM_(T?[A-C0-9])(?![A-Z0-9_])/g, (_, name) => this.names.custom(name))
      .replace(/startswith:CUSTOM_$/, `startswith:${this.names.custom('')}`)
      .replace(/"(name|project_id)":"(?!CUSTOM)([^"]+)"/g, (_, key, name) => `"${key}":"${this.names.name(name)}"`)
      .replace(/project_id=([^&]+)/, (_, name) => `project_id=${name}%20${this.pair.tag}`);
  }

  #plain(text) {
    const uuid = /^([ace])0{7}-0000-4000-8000-[0-9a-f]{8}100(\d)$/.exec(text);
    if (uuid !== null) return `${uuid[1].repeat(8)}-0000-4000-8000-00000000000${uuid[2]}`;
    return text.replace(`CUSTOM_${this.pair.tag.toUpperCase()}_`, 'CUSTOM_');
  }
}
