// Generations are opaque, and some writes increment them differently in the two services. Each service is sent its own:
// Berth's plus an offset per provider, derived from the answers.
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

export class Generations {
  #offsets = new Map();
  /** Providers in a reshape: their next generation can differ by any amount. */
  #shaken = new Set();

  /** The request's body with the generations of the other service. */
  forOther(path, body) {
    if (body === null || typeof body !== 'object') return body;
    const shifted = (uuid, part) =>
      Number.isInteger(part?.resource_provider_generation) && this.#offset(uuid) !== 0
        ? { ...part, resource_provider_generation: part.resource_provider_generation + this.#offset(uuid) }
        : part;
    if (path === '/reshaper' && typeof body.inventories === 'object' && body.inventories !== null) {
      const sets = Object.entries(body.inventories).map(([uuid, set]) => [uuid, shifted(uuid, set)]);
      return { ...body, inventories: Object.fromEntries(sets) };
    }
    return Array.isArray(body) ? body : shifted(UUID.exec(path)?.[0] ?? '', body);
  }

  noteReshape(body) {
    for (const [uuid] of body.matchAll(new RegExp(UUID, 'gi'))) this.#shaken.add(uuid.toLowerCase());
  }

  /** Rewrites the generations in the other answer to Berth's. Updates the offsets on a mismatch. */
  align(path, berth, other) {
    const found = [];
    const mine = new Map(generationsIn(path, berth).map((each) => [each.uuid, each]));
    for (const theirs of generationsIn(path, other)) {
      const expected = mine.get(theirs.uuid);
      if (expected === undefined) continue;
      const offset = theirs.get() - expected.get();
      if (offset !== this.#offset(theirs.uuid)) {
        const isShaken = this.#shaken.delete(theirs.uuid);
        const was = this.#offset(theirs.uuid);
        found.push({ what: `generation${isShaken ? ' after a reshape' : ''}`, berth: was, other: offset });
        this.#offsets.set(theirs.uuid, offset);
      }
      theirs.set(expected.get());
    }
    return found;
  }

  #offset(uuid) {
    return this.#offsets.get(uuid.toLowerCase()) ?? 0;
  }
}

function generationsIn(path, body) {
  if (body === null || typeof body !== 'object') return [];
  const of = (uuid, holder, key) =>
    Number.isInteger(holder?.[key])
      ? [{ uuid: uuid.toLowerCase(), get: () => holder[key], set: (value) => (holder[key] = value) }]
      : [];
  const own = UUID.exec(path)?.[0];
  if (path.startsWith('/allocations/') && body.allocations) {
    return Object.entries(body.allocations).flatMap(([uuid, part]) => of(uuid, part, 'generation'));
  }
  if (Array.isArray(body.resource_providers)) {
    return body.resource_providers.flatMap((provider) => of(provider.uuid, provider, 'generation'));
  }
  return [
    ...of(own ?? body.uuid ?? '', body, 'resource_provider_generation'),
    ...of(body.uuid ?? '', body, 'generation'),
  ];
}
