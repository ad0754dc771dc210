// Query strings built from valid and invalid parts, for every route with parameters, on one small world.
import { isIsolated } from './candidates.mjs';
import { namesFor } from './names.mjs';
import { importTypeScript } from './support.mjs';

export async function oddQueries(pair, { queries, seed }, atOnce = 3) {
  const { Chances } = await importTypeScript('../support/random-requests.ts');
  const chances = new Chances(Number(seed) + 31);
  const names = namesFor(pair.tag);
  await build(pair, names);
  let left = Number(queries);
  const live = async () => {
    while (left > 0) {
      left -= 1;
      const minor = chances.isLikely(0.3) ? 39 : chances.integer(0, 39);
      const path = chances.isLikely(0.6) ? candidatesPath(chances, names) : otherPath(chances, names);
      await pair.ask('GET', path, { minor, evidence: () => evidence(pair, path) });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, live));
  return `${queries} queries`;
}

/** There is one tree, so nothing is dropped without isolation; queries both services like this, without limit. */
async function evidence(pair, path) {
  const [route, query] = path.split('?');
  const parts = query.split('&').filter((part) => !/^(?:limit|group_policy)=/.test(part));
  const open = `${route}?${[...parts, 'group_policy=none'].join('&')}`;
  const isIsolating = query.includes('group_policy=isolate');
  const asked = async (side) => (await pair.candidates(side, open)).filter((each) => !isIsolating || isIsolated(each));
  const limit = /(?:^|&)limit=(\d+)/.exec(query)?.[1];
  return {
    berth: (await asked(pair.berth)).sort(),
    other: (await asked(pair.other)).sort(),
    ...(limit !== undefined && { limit: Number(limit) }),
  };
}

/** A root with a child, both with both classes, in an aggregate, with a trait. */
async function build(pair, names) {
  const ask = (method, path, body) => pair.ask(method, path, { body });
  for (const name of ['A', 'B']) await ask('PUT', `/resource_classes/${names.custom(name)}`);
  for (const name of ['S', 'T']) await ask('PUT', `/traits/${names.custom(name)}`);
  for (const number of [1, 2]) {
    const uuid = names.uuid('a', number);
    const parent = number === 1 ? null : names.uuid('a', 1);
    const at = `/resource_providers/${uuid}`;
    await ask('POST', '/resource_providers', { uuid, name: names.name(`rp${number}`), parent_provider_uuid: parent });
    const inventories = {
      [names.custom('A')]: { total: 8 },
      [names.custom('B')]: { total: 4, min_unit: 2, step_size: 2 },
    };
    await ask('PUT', `${at}/inventories`, { resource_provider_generation: 0, inventories });
    await ask('PUT', `${at}/traits`, { resource_provider_generation: 1, traits: [names.custom('T')] });
    await ask('PUT', `${at}/aggregates`, { resource_provider_generation: 2, aggregates: [names.uuid('e', number)] });
  }
}

/** Mostly valid values; each kind of parameter has its own invalid ones. */
function values(names) {
  const [a, b] = ['A', 'B'].map(names.custom);
  const [s, t] = ['S', 'T'].map(names.custom);
  const [x, y] = [1, 2].map((number) => names.uuid('e', number));
  const [root, child] = [1, 2].map((number) => names.uuid('a', number));
  return {
    resources: {
      good: [`${a}:1`, `${b}:2`, `${a}:1,${b}:2`, `${a}:8`, `${a}:9`, `${a}:1,${a}:2`, `${a}:%2B3`, `${a}:%203`],
      bad: ['', a, `${a}:`, `${a}:0`, `${a}:-1`, `${a}:x`, `${a}:1.0`, `${a}:1,`, `,${a}:1`, `${a}:1:1`, `%20${a}:1`],
    },
    required: {
      good: [t, s, `!${s}`, `${t},!${s}`, `${t},${t}`, `%20${t}%20`],
      bad: [
        '',
        '!',
        `${t},`,
        `${t},,${s}`,
        `!!${s}`,
        `in:${t},${s}`,
        `in:${t}`,
        'in:',
        `in:!${t}`,
        `${t},in:${s}`,
        `${t},!${t}`,
      ],
    },
    member_of: {
      good: [x, `in:${x},${y}`, `in:${x}`, x.toUpperCase().replaceAll('-', '')],
      bad: [
        '',
        'x',
        `${x},${y}`,
        `!${x}`,
        `!in:${x},${y}`,
        'in:',
        '!',
        '!in:',
        `in:${x},`,
        `in:in:${x}`,
        `!!${x}`,
        `in:!${x}`,
        `%20${x}`,
      ],
    },
    in_tree: {
      good: [root, child, x, root.toUpperCase()],
      bad: ['', 'x', `${root},${child}`, `!${root}`, `in:${root}`],
    },
    limit: {
      good: ['1', '5', '1000'],
      bad: ['', '0', '-1', 'x', '1.5', '%201', '%2B1', '007', '99999999999999999999'],
    },
    group_policy: { good: ['none', 'isolate'], bad: ['', 'None', 'both', 'none,isolate', '%20none'] },
    root_required: { good: [t, `!${s}`, `${t},!${s}`], bad: ['', '!', `in:${t}`, `${t},!${t}`, `${t},`] },
    same_subtree: { good: ['1,2', '1', '2,1'], bad: ['', ',', '1,', '3', '1,%202', '1,1', '1,,2'] },
    surprise: { good: ['1'], bad: [''] },
    name: { good: [encodeURIComponent(names.name('rp1')), 'nobody'], bad: ['', 'x'.repeat(300)] },
    uuid: { good: [root, child, x], bad: ['', 'x', root.slice(1)] },
    project_id: {
      good: [encodeURIComponent(names.name('project')), encodeURIComponent(names.name('other'))],
      bad: ['', 'x'.repeat(256)],
    },
    user_id: { good: ['user'], bad: ['', 'x'.repeat(256)] },
    consumer_type: {
      good: ['INSTANCE', 'all', 'unknown', 'A_1'],
      bad: ['', 'lower', 'ALL!', 'Unknown', 'A'.repeat(256)],
    },
  };
}

function parameter(chances, names, kind, suffix = '') {
  const { good, bad } = values(names)[kind];
  return `${kind}${suffix}=${chances.one(chances.isLikely(0.85) ? good : bad)}`;
}

function candidatesPath(chances, names) {
  const parts = [];
  const add = (probability, kind, suffix) => {
    if (chances.isLikely(probability)) parts.push(parameter(chances, names, kind, suffix));
  };
  const odd = () =>
    chances.isLikely(0.1) ? chances.one(['0', '01', '_A', '-', 'ä', '.', 'x'.repeat(65), 'A_b-9']) : undefined;
  for (const suffix of ['', '1', '2']) {
    const own = suffix === '' ? '' : encodeURIComponent(odd() ?? suffix);
    if (suffix !== '' && chances.isLikely(0.6)) continue;
    add(0.9, 'resources', own);
    for (const kind of ['required', 'member_of', 'in_tree']) add(0.17, kind, own);
    for (const kind of ['resources', 'required', 'member_of', 'in_tree']) add(0.03, kind, own);
  }
  add(0.5, 'group_policy');
  for (const kind of ['limit', 'root_required', 'same_subtree']) add(0.12, kind);
  for (const kind of ['limit', 'root_required', 'same_subtree', 'group_policy', 'surprise']) add(0.02, kind);
  return `/allocation_candidates?${parts.join('&')}`;
}

function otherPath(chances, names) {
  const kinds = {
    '/resource_providers': ['name', 'uuid', 'member_of', 'resources', 'in_tree', 'required'],
    '/usages': ['project_id', 'user_id', 'consumer_type'],
  };
  const [path, known] = chances.one(Object.entries(kinds));
  const chosen = [
    ...chances.some(known, 0.4),
    ...chances.some(known, 0.1),
    ...chances.some(['surprise', 'limit'], 0.03),
  ];
  return `${path}?${chosen.map((kind) => parameter(chances, names, kind)).join('&')}`;
}
