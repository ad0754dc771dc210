// Candidate searches on random worlds: trees, sharing, units, usage. Classes, traits and aggregates are unique per
// world, so data of other runs is never found. Compares sets of candidates, with mappings and summaries.
import { namesFor } from './names.mjs';
import { importTypeScript } from './support.mjs';

const QUERIES_PER_WORLD = 40;
const SHARES = 'MISC_SHARES_VIA_AGGREGATE';

export async function candidateQueries(pair, { candidates, seed }, atOnce = 3) {
  const { Chances } = await importTypeScript('../support/random-requests.ts');
  const total = Number(candidates);
  let asked = 0;
  let worlds = 0;
  let nonEmpty = 0;
  const live = async () => {
    while (asked < total) {
      const number = worlds++;
      const chances = new Chances(Number(seed) + 104_729 * (number + 1));
      const world = new World(pair.another(0x800 + number), chances);
      if (!(await world.build())) continue;
      for (let at = 0; at < QUERIES_PER_WORLD && asked < total; at += 1) {
        asked += 1;
        if (await world.query()) nonEmpty += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, live));
  return `${asked} queries, ${nonEmpty} of them with candidates, ${worlds} worlds`;
}

class World {
  providers = [];
  fault = undefined;

  constructor(pair, chances) {
    this.pair = pair;
    this.chances = chances;
    this.names = namesFor(pair.tag);
    this.classes = ['A', 'B', 'C', 'D'].map(this.names.custom);
    this.traits = ['T1', 'T2', 'T3'].map(this.names.custom);
    this.aggregates = [1, 2, 3].map((number) => this.names.uuid('e', number));
  }

  /** Whether both services have the whole world. */
  async build() {
    for (const name of this.classes) await this.#must('PUT', `/resource_classes/${name}`);
    for (const name of this.traits) await this.#must('PUT', `/traits/${name}`);
    const { chances } = this;
    for (let tree = chances.integer(1, 4); tree > 0 && this.fault === undefined; tree -= 1) {
      const root = await this.#provider(null, null);
      for (let child = chances.isLikely(0.5) ? 0 : chances.integer(1, 3); child > 0; child -= 1) {
        const kid = await this.#provider(root, root);
        if (chances.isLikely(0.3)) await this.#provider(kid, root);
      }
    }
    return this.fault === undefined;
  }

  async #provider(parent, root) {
    const { chances } = this;
    const number = this.providers.length + 1;
    const uuid = this.names.uuid('a', number);
    const anchor = this.names.custom(`ANCHOR_${number}`);
    const body = { uuid, name: this.names.name(`rp ${number}`), parent_provider_uuid: parent?.uuid ?? null };
    await this.#must('POST', '/resource_providers', body);
    const path = `/resource_providers/${uuid}`;
    const inventories = Object.fromEntries(chances.some(this.classes, 0.6).map((name) => [name, this.#record()]));
    await this.#must('PUT', `${path}/inventories`, { resource_provider_generation: 0, inventories });
    if (root === null) await this.#must('PUT', `/traits/${anchor}`);
    const traits = [
      ...chances.some(this.traits, 0.4),
      ...chances.some([SHARES], 0.2),
      ...(root === null ? [anchor] : []),
    ];
    await this.#must('PUT', `${path}/traits`, { resource_provider_generation: 1, traits });
    if (this.fault !== undefined) return { uuid, anchor, traits };
    const { berth } = await this.pair.ask('GET', path);
    const aggregates = chances.some(this.aggregates, 0.25);
    const generation = berth.generation;
    await this.#must('PUT', `${path}/aggregates`, { resource_provider_generation: generation, aggregates });
    const provider = { uuid, anchor, traits, root: undefined };
    provider.root = root ?? provider;
    this.providers.push(provider);
    await this.#usage(uuid, inventories, number);
    return provider;
  }

  #record() {
    const { chances } = this;
    const total = chances.integer(1, 8);
    return {
      total,
      reserved: chances.isLikely(0.2) ? chances.integer(0, total) : 0,
      min_unit: chances.isLikely(0.1) ? 2 : 1,
      max_unit: chances.isLikely(0.25) ? chances.integer(1, 3) : total,
      step_size: chances.isLikely(0.1) ? 2 : 1,
      // For ratios without an exact single-precision value the capacities differ; see the list of differences.
      allocation_ratio: chances.one([1, 1, 1, 1.5, 0.5, 4]),
    };
  }

  async #usage(uuid, inventories, number) {
    const resources = Object.entries(inventories)
      .filter(() => this.chances.isLikely(0.35))
      .map(([name, { total, reserved, allocation_ratio: ratio, max_unit: most, step_size: step }]) => {
        const room = Math.min(Math.floor((total - reserved) * ratio), most);
        return [name, Math.floor(this.chances.integer(0, Math.max(0, room)) / step) * step];
      })
      .filter(([name, amount]) => amount >= inventories[name].min_unit);
    if (resources.length === 0) return;
    await this.#must('PUT', `/allocations/${this.names.uuid('c', number)}`, {
      allocations: { [uuid]: { resources: Object.fromEntries(resources) } },
      project_id: this.names.name('project'),
      user_id: 'user',
      consumer_generation: null,
      consumer_type: 'INSTANCE',
    });
  }

  async #must(method, path, body) {
    if (this.fault !== undefined) return;
    const { status, otherStatus, exchange } = await this.pair.ask(method, path, { body });
    if (status < 300 && otherStatus < 300) return;
    const { berth, other } = exchange.texts;
    this.fault ??= `${method} ${path}: ${status} here, ${otherStatus} there: ${berth} ${other}`;
  }

  /** One query; if the other answer is smaller, the complete one is collected anchor by anchor. */
  async query() {
    const { chances } = this;
    const minor = chances.isLikely(0.5) ? 39 : chances.integer(25, 39);
    const parameters = this.#parameters(minor);
    const path = `/allocation_candidates?${parameters.map(([name, value]) => `${name}=${value}`).join('&')}`;
    const evidence = () => this.#evidence(parameters);
    const { berth } = await this.pair.ask('GET', path, { minor, about: 'world', evidence });
    return (berth?.allocation_requests?.length ?? 0) > 0;
  }

  /**
   * All candidates of Berth, and all of the other service if each query allows one anchor only, so none is dropped
   * between anchors; both without limit, in the newest version. Isolation is checked here, by the mappings.
   */
  async #evidence(parameters) {
    const roots = this.providers.filter((provider) => provider.root === provider);
    const isIsolating = parameters.some(([name, value]) => name === 'group_policy' && value === 'isolate');
    const rule = parameters.find(([name]) => name === 'root_required');
    const others = parameters.filter(([name]) => !['limit', 'group_policy', 'root_required'].includes(name));
    const path = (more) =>
      `/allocation_candidates?${[...others, ['group_policy', 'none'], ...more].map((pair) => pair.join('=')).join('&')}`;
    const kept = (found) => found.filter((each) => !isIsolating || isIsolated(each));
    // A query for one anchor can fail (L4), so the candidates of the unrestricted query count, too.
    const open = path(rule === undefined ? [] : [rule]);
    const whole = new Set(kept(await this.pair.candidates(this.pair.other, open)));
    for (const { anchor } of roots) {
      const value = rule === undefined ? anchor : `${rule[1]},${anchor}`;
      const found = await this.pair.candidates(this.pair.other, path([['root_required', value]]));
      for (const each of kept(found)) whole.add(each);
    }
    const mine = kept(await this.pair.candidates(this.pair.berth, open));
    const limit = parameters.find(([name]) => name === 'limit')?.[1];
    return { berth: mine.sort(), other: [...whole].sort(), ...(limit !== undefined && { limit: Number(limit) }) };
  }

  #parameters(minor) {
    const { chances } = this;
    const names = minor >= 33 ? ['1', '_B', 'C'] : ['1', '2', '3'];
    const suffixes = ['', ...names].filter((suffix) => chances.isLikely(suffix === '' ? 0.65 : 0.35));
    if (suffixes.length === 0) suffixes.push(chances.one(['', names[0]]));
    const granular = suffixes.filter((suffix) => suffix !== '');
    const parameters = suffixes.flatMap((suffix) => this.#group(suffix, minor));
    if (minor >= 36 && granular.length > 0 && chances.isLikely(0.3)) {
      const listed = chances.some(granular, 0.8);
      if (chances.isLikely(0.4)) {
        parameters.push(['required_N', chances.one(this.traits)]);
        granular.push('_N');
        listed.push('_N');
      }
      if (listed.length > 0) parameters.push(['same_subtree', listed.join(',')]);
    }
    if (granular.length > 1 || chances.isLikely(0.2)) {
      parameters.push(['group_policy', chances.isLikely(0.35) ? 'isolate' : 'none']);
    }
    if (minor >= 35 && chances.isLikely(0.12)) {
      parameters.push(['root_required', `${chances.one(['', '!'])}${chances.one([...this.traits, SHARES])}`]);
    }
    if (chances.isLikely(0.1)) parameters.push(['limit', String(chances.integer(1, 4))]);
    return parameters;
  }

  #group(suffix, minor) {
    const { chances } = this;
    const classes = chances.some(this.classes, suffix === '' ? 0.4 : 0.2);
    if (classes.length === 0) classes.push(chances.one(this.classes));
    const amount = () => (chances.isLikely(0.7) ? 1 : chances.integer(1, 4));
    const parameters = [[`resources${suffix}`, classes.map((name) => `${name}:${amount()}`).join(',')]];
    const some = (items) => [...new Set([chances.one(items), chances.one(items)])];
    const add = (name, value) => parameters.push([`${name}${suffix}`, value]);
    if (chances.isLikely(0.17)) {
      const isAny = minor >= 39 && chances.isLikely(0.5);
      add('required', `${isAny ? 'in:' : ''}${some(this.traits).join(',')}`);
    } else if (chances.isLikely(0.1)) add('required', `!${chances.one([...this.traits, SHARES])}`);
    if (chances.isLikely(0.12)) add('member_of', `in:${some(this.aggregates).join(',')}`);
    if (chances.isLikely(0.05)) add('member_of', chances.one(this.aggregates));
    if (minor >= 32 && chances.isLikely(0.08)) add('member_of', `!in:${some(this.aggregates).join(',')}`);
    if (minor >= 31 && chances.isLikely(0.08)) {
      add('in_tree', chances.one([...this.providers.map(({ uuid }) => uuid), this.names.uuid('a', 999)]));
    }
    return parameters;
  }
}

/** Whether granular groups use different providers, by the mappings in the text of a candidate. */
export function isIsolated(text) {
  const mappings = JSON.parse(text)[1].filter(([suffix]) => suffix !== '');
  const used = mappings.flatMap(([, uuids]) => uuids);
  return new Set(used).size === used.length;
}
