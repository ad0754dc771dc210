// Sends each request to both services, compares the answers and remembers the differences by kind. Uuids that a service
// made itself are known by Berth's: they are replaced on the way to and from the other one.
import { Generations } from './generations.mjs';
import { differences, normalise } from './normalise.mjs';
import { KNOWN } from './known-differences.mjs';

export const ADMIN = { 'x-auth-token': 'admin', 'x-roles': 'admin,service', accept: 'application/json' };

export class Pair {
  #made = [];
  #generations = new Generations();

  /** `tag` is in every name of this cloud and of no other; `tally` is shared by the clouds of a stream. */
  constructor(berth, other, tag, tally = { requests: 0, kinds: new Map() }) {
    this.berth = berth;
    this.other = other;
    this.tag = tag;
    this.tally = tally;
  }

  /** The same two services, with names of its own. */
  another(number) {
    return new Pair(this.berth, this.other, this.tag.slice(0, 5) + number.toString(16).padStart(3, '0'), this.tally);
  }

  /**
   * Asks both. `minor` null: no version header. `body` is JSON unless `raw` is given. Headers of value null are not sent.
   * Answers with both parsed answers and whether any difference was found that leaves the two in different states.
   */
  async ask(method, path, { minor = 39, body, raw, headers = {}, about, evidence } = {}) {
    const text = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const theirText = raw ?? (body === undefined ? undefined : JSON.stringify(this.#generations.forOther(path, body)));
    const all = {
      ...ADMIN,
      ...(minor !== null && { 'openstack-api-version': `placement 1.${minor}` }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    const sent = { method, path, headers: withoutNull(all), body: text };
    const both = () =>
      Promise.all([this.berth.ask(sent), this.other.ask(this.#translated({ ...sent, body: theirText }))]);
    const [berth, other] = await (/^\/resource_classes/.test(path) && method !== 'GET' ? this.#alone(both) : both());
    if (method === 'POST' && path === '/resource_providers') this.#learn(berth, other);
    if (path === '/reshaper' && berth.status === 204) this.#generations.noteReshape(text);
    this.tally.requests += 1;
    return this.#judge({ request: { ...sent, minor, about }, berth, other: this.#backFrom(other), evidence });
  }

  /** The reference loses one of two classes that are made at the same moment, so the clouds of a stream take turns. */
  #alone(work) {
    const turn = (this.tally.turn ?? Promise.resolve()).then(work);
    this.tally.turn = turn.catch(() => undefined);
    return turn;
  }

  /** The candidates of one side alone, in the newest version, as texts. */
  async candidates(side, path) {
    const headers = { ...ADMIN, 'openstack-api-version': 'placement 1.39' };
    const answer = await side.ask({ method: 'GET', path, headers });
    return normalise(answer, { prefix: side.prefix, tag: this.tag }).body.allocation_requests ?? [];
  }

  async #judge({ request, berth, other, evidence }) {
    const mine = normalise(berth, { prefix: this.berth.prefix, tag: this.tag });
    const theirs = normalise(other, { prefix: this.other.prefix, tag: this.tag });
    const exchange = { request, berth: mine, other: theirs, texts: { berth: berth.text, other: other.text } };
    const isSame = mine.status === theirs.status;
    const shifts = isSame ? this.#generations.align(request.path, mine.body, theirs.body) : [];
    const found = [...shifts, ...differences(mine, theirs)];
    if (found.length > 0 && evidence !== undefined) exchange.evidence = await evidence(exchange);
    let isApart = false;
    for (const difference of found) {
      const known = KNOWN.find((each) => each.explains(difference, exchange));
      this.record(difference, exchange, known);
      isApart ||= known === undefined || known.leavesApart === true;
    }
    return {
      berth: json(berth),
      other: json(other),
      status: mine.status,
      otherStatus: theirs.status,
      found,
      isApart,
      exchange,
    };
  }

  record(difference, exchange, known) {
    const shown = `${brief(difference.berth)} / ${brief(difference.other)}`;
    const what = `${difference.what}: ${shown}`
      .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/gi, '{uuid}')
      .replace(/CUSTOM_\w+/g, '{custom}');
    const title = known?.name ?? `${exchange.request.method} ${route(exchange.request.path)}: ${what}`;
    const kind = this.tally.kinds.get(title) ?? { count: 0, known, difference, exchange };
    kind.count += 1;
    this.tally.kinds.set(title, kind);
  }

  #learn(berth, other) {
    const of = ({ headers }) => headers.location?.split('/').pop();
    if (of(berth) !== undefined && of(other) !== undefined && of(berth) !== of(other)) {
      this.#made.push({ berth: of(berth), other: of(other), name: `generated-${this.#made.length}` });
    }
  }

  #translated(sent) {
    const swap = (text) => this.#made.reduce((now, made) => now.replaceAll(made.berth, made.other), text);
    return { ...sent, path: swap(sent.path), ...(sent.body !== undefined && { body: swap(sent.body) }) };
  }

  #backFrom(answer) {
    const swap = (text) => this.#made.reduce((now, made) => now.replaceAll(made.other, made.berth), text);
    const { location } = answer.headers;
    return {
      ...answer,
      text: swap(answer.text),
      headers: { ...answer.headers, ...(location !== undefined && { location: swap(location) }) },
    };
  }
}

function withoutNull(headers) {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== null));
}

function json({ text }) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function brief(value) {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** The path without what varies. */
export function route(path) {
  return path
    .replace(/\?.*/, '?')
    .replace(/^(\/(?:resource_providers|allocations))\/[^/]+/, '$1/{uuid}')
    .replace(/^(\/(?:traits|resource_classes))\/[^/]+/, '$1/{name}')
    .replace(/\/inventories\/[^/]+/, '/inventories/{class}');
}
