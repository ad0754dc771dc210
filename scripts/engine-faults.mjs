// `node scripts/engine-faults.mjs`: mutation test for the comparison of the candidate engine with the brute-force model and for
// its laws. For each fault: copies engine and model, plants the fault in the engine copy, and compares until they
// differ or a law is broken. An undetected fault fails the run. The random worlds are fixed, so the gate is
// deterministic. The search starts at the world that detected the fault last time (engine-faults.json), and tries all
// worlds only if that one does not detect it any more. `--update` rewrites the file.
// BERTH_SEED selects other worlds; `-- TEXT` plants only faults whose names contain the text.
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { transformSync } from '@swc/core';

const root = join(import.meta.dirname, '../');
const CASES = `${root}scripts/engine-faults.json`;
const TRAITS = 'src/placement/domain/standard-trait-names.json';
const isUpdate = process.argv.includes('--update');
const [text = ''] = process.argv.slice(2).filter((option) => option !== '--update');
/** The worlds that detect the faults, for one seed. */
const cases = JSON.parse(readFileSync(CASES, 'utf8'));
const seed = Number(process.env.BERTH_SEED ?? cases.seed);
const known = seed === cases.seed && !isUpdate ? cases.worlds : {};
const PAIRS_MAX = 40_000;
/** This many equal pairs show that the comparison itself works. */
const PAIRS_OF_SOUND = 3_000;
/** CPU seconds, not wall-clock seconds: the amount of work does not depend on the machine's load. */
const SECONDS_MAX = 25;
const HUNG_AFTER_SECONDS = 120;
/** CPU seconds too; the sound engine needs a tenth of one for a world. */
const HUNG_IN_ONE_WORLD_AFTER_SECONDS = 5;
/** Names the comparison of counted with done work, which has no random world. */
const WORK = 'work';

/** Fault name and the source edits that plant it: texts, each with its replacement. A text is in one file of the engine. */
const FAULTS = {
  'min_unit is not asked': [
    'amount) && fitsUnits(inventory, amount)',
    'amount) && fitsUnits({ ...inventory, minUnit: 1 }, amount)',
  ],
  'step_size is not asked': [
    'amount) && fitsUnits(inventory, amount)',
    'amount) && fitsUnits({ ...inventory, stepSize: 1 }, amount)',
  ],
  'what is reserved counts as room': [
    'hasRoom(inventory.capacity, inventory.used, amount)',
    'hasRoom(Math.floor(inventory.total * inventory.allocationRatio), inventory.used, amount)',
  ],
  'the allocation ratio is forgotten': [
    'hasRoom(inventory.capacity, inventory.used, amount)',
    'hasRoom(inventory.total - inventory.reserved, inventory.used, amount)',
  ],
  'what is used is forgotten': ['inventory.used, amount)', '0, amount)'],
  'what is used is forgotten in merged sums': [
    'hasRoom(inventory.capacity, inventory.used, sum)',
    'hasRoom(inventory.capacity, 0, sum)',
    'inventory.capacity - inventory.used, inventory',
    'inventory.capacity, inventory',
  ],
  'max_unit is not asked of merged sums': [
    ' || sum > inventory.maxUnit',
    '',
    'Math.min(inventory.capacity - inventory.used, inventory.maxUnit)',
    'inventory.capacity - inventory.used',
  ],
  'candidates are told apart under each anchor only': [
    'if (this.repeatableKeys.has(key)) return true;',
    '',
    'const isKnown = this.seenOffers.has(key);',
    'const isKnown = false;',
  ],
  'isolate leaves out groups without resources': [
    'slots[at]?.group.isUnsuffixed === true) return true;',
    'slots[at]?.group.isUnsuffixed === true || slots[at]?.demands.length === 0) return true;',
  ],
  'isolate keeps the unsuffixed group apart as well': [
    'if (slots[at]?.group.isUnsuffixed === true) return true;',
    '',
    ' && slots[before]?.group.isUnsuffixed === false',
    '',
  ],
  'of several forbidden traits only the first counts': [
    'for (const trait of group.forbiddenTraits) if (provider.traits.has(trait)) return true;\n  return false;',
    'return group.forbiddenTraits.length > 0 && provider.traits.has(group.forbiddenTraits[0] ?? "");',
  ],
  'of several forbidden aggregates all must match': [
    'for (const aggregate of provider.aggregates) if (group.forbiddenAggregates.has(aggregate)) return true;\n  return false;',
    'return [...group.forbiddenAggregates].every((aggregate) => provider.aggregates.includes(aggregate));',
  ],
  'any-of asks for all': [
    'for (const trait of anyOf) if (provider.traits.has(trait)) return true;\n  return false;',
    'return anyOf.every((trait) => provider.traits.has(trait));',
  ],
  'sharing goes through the first aggregate only': [
    'of tree.aggregates) sharing',
    'of tree.aggregates.slice(0, 1)) sharing',
  ],
  'a sharing provider may serve below a forbidden root': [
    'return !isInForbiddenAggregate(group, anchor.root);',
    'return true;',
  ],
  'an aggregate of the root spans foreign trees': [
    '(anchor.owns(provider) && isMember(group, anchor.root))',
    'isMember(group, anchor.root)',
  ],
  'a granular group honours the aggregates of the root': [
    'if (!isInAny(anyOf, provider.aggregates)) return false;',
    'if (!isInAny(anyOf, provider.aggregates) && provider.parentId === null) return false;',
  ],
  'root_required is not asked': ['rootRequired.every((trait) => traits.has(trait))', 'true'],
  'root_required=! is not asked': ['!rootForbidden.some((trait) => traits.has(trait))', 'true'],
  'in_tree lets resources be shared in': [
    'group.isUnsuffixed && group.inTree !== null ? NO_PROVIDERS : anchor.sharing',
    'anchor.sharing',
  ],
  'the limit takes one too many': [
    'const count = Math.min(query.limit ?? generated.length, generated.length);',
    'const count = generated.length;',
    'Math.min(query.limit, beyond)',
    'Math.min(query.limit + 1, beyond)',
  ],
  'same_subtree accepts siblings': [
    'if (!canComplete(taken, slots, at, suffixes)) return false;',
    'if (taken.some((one) => one.rootId !== taken[0]?.rootId)) return false;',
  ],
  'collective traits are asked of no provider': [
    'if ((this.needed & ~met & ~(this.meetable[depth + 1] ?? 0)) !== 0) return false;',
    '',
    'if (this.needed !== 0 && (this.needed & ~(this.meetable[0] ?? 0)) !== 0) return false;',
    '',
  ],
  'before trees, a candidate may use several of one': [
    'if (!query.nestedAware && !keepsSingle(chosen, depth, choice)) return false;',
    '',
  ],
  'an indexed tree loses the last offer of a class': [
    'offers.get(first.resourceClass) ?? NO_OFFERS',
    '(offers.get(first.resourceClass) ?? NO_OFFERS).slice(0, -1)',
  ],
  'other slots on the same places make the same candidate': ['pattern * places.length + place', 'pattern + place'],
  'a group served by several providers is mapped to the first': ['else places.add(place);', ''],
  'the short way forgets in_tree': [
    'if (group.inTree !== null) yield suppliersInTree(group, group.inTree.rootId, sharers);',
    '',
  ],
  'the short way forgets member_of': ['...requiredTraits, ...memberOf', '...requiredTraits'],
  'the short way forgets forbidden traits': ['[...group.forbiddenTraits, ...rootForbidden]', '[...rootForbidden]'],
  'the short way forgets forbidden aggregates': [', ...forbiddenAggregates', ''],
  'the short way forgets required traits': ['...requiredTraits, ...memberOf', '...memberOf'],
  'the short way forgets root_required': [
    'for (const trait of query.rootRequired) yield',
    'for (const trait of [] as string[]) yield',
    ', ...rootRequired.map((trait) => [trait])',
    '',
  ],
  'the short way forgets traits that roots must not have': [
    '[...group.forbiddenTraits, ...rootForbidden]',
    '[...group.forbiddenTraits]',
  ],
  'the short way is taken by trees that see a sharing provider': [
    'if (this.graph.sharingInAggregate(aggregate).length > 0) return false;',
    'if (aggregate === "") return false;',
  ],
  'trees that are served by a sharing provider are filtered out': ['sharing.length === 0 && ', ''],
  'roots on several lists of the rarest demand are lost': ['if (id <= otherId) at += 1;', 'at += 1;'],
  'the rarest demand hides anchors of sharing providers': [
    'for (const list of anchorsOf(graph, provider)) lists.push(list);',
    '',
  ],
  'anchors share what work one of them may take': [
    'const lastAt = since + this.stepsMax;',
    'const lastAt = this.stepsMax;',
  ],
  'where others made it pause decides whether a walk is given up': [
    'work.done >= lastAt && !this.isLookingOut',
    'work.done >= lastAt && work.isPauseDue',
    'Math.min(work.pauseAt, lastAt,',
    'Math.min(work.pauseAt, work.pauseAt,',
    ': lastAt))',
    ': work.pauseAt))',
  ],
  'like room counts once': ['sum += count * this.usable(at, available)', 'sum += this.usable(at, available)'],
  'room that an amount fills exactly cannot be used': ['(values[middle] ?? 0) <= most', '(values[middle] ?? 0) < most'],
  'what providers have left is taken off twice': [
    'usable += this.usable(at, remaining) - ',
    'usable += this.usable(at, remaining) - remaining - ',
  ],
  'the total of one look counts a provider for the first group only': [
    'available += availableOf(inventory);',
    'available += counted === null ? availableOf(inventory) : 0;',
  ],
  'groups of one kind may use fewer providers than there are': [
    'if (count > choices.length) return true;',
    'if (count >= choices.length) return true;',
  ],
  'providers that other slots can choose are alike': ['const facts = [role, ', "const facts = ['', "],
  'providers below other parents are alike': ["`<${provider.parentId ?? ''}`", "'<'"],
  'a failure is remembered whatever was taken': ["parts.sort().join(';')", "''"],
  'what was found is remembered as failed': ['if (isFruitless && key', 'if (key'],
  'isolated groups leave no mark in what is remembered': ["mark(provider, 'u')", "mark(provider, '')"],
  'reach of same_subtree goes stale': ['constraint.open[at + 1] = open;', 'constraint.open[at + 1] ??= open;'],
  'a top is kept although no slot can choose it': ['top.lastChooser > at)', 'top.lastChooser >= at)'],
  'a top is no top for the last slot': ['top.lastChooser > at)', 'top.lastChooser > at + 1)'],
  'isolated groups need one provider more below a top': ['distinct >= granular', 'distinct > granular'],
  'a matching leaves a place empty': [
    'guests.length < this.capacityOf(choice)',
    'guests.length + 1 < this.capacityOf(choice)',
  ],
  'matching starts a slot over after a pause': ['this.lookedAt = at;', ''],
  'like groups choose among what another kind found': ['this.slots[likeSlot]', 'this.slots[0]'],
  'looks at the choices of a tree are not counted': ['work.done += 1;\n      let choice', 'let choice'],
  'looks back at what is taken are not counted': ['1 + this.stepCost + depth', '1 + this.stepCost'],
  'looks of a matching are not counted': ['work.done += 1;\n      this.choiceAt', 'this.choiceAt'],
  'looks at subtrees are not counted': ['work.done += provider.path.length;', ''],
};

const RUNNER = `
const { compare } = require('./test/properties/candidates-compare.js');
const { drawSmallPacking, findLostAmongOthers } = require('./test/properties/candidates-packings.js');
const { findUncountedWork } = require('./test/properties/candidates-work.js');
const { Dice, drawQueryOfEra, drawWorld } = require('./test/properties/candidates-worlds.js');
const secondsUsed = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
let pairs = 0;
const knownWorld = process.argv[3];
let world = Number(knownWorld ?? 0);
const caught = () => {
  console.log(pairs, world);
  process.exit(3);
};
const isSame = (rows, query) => {
  try {
    const result = compare(rows, query);
    if (result !== null) pairs += 1;
    return result === null || result.isEqual;
  } catch {
    return false;
  }
};
if (knownWorld === undefined || knownWorld === '${WORK}') {
  if (findUncountedWork() !== null) {
    world = '${WORK}';
    caught();
  }
}
const isLast = () => pairs >= Number(process.argv[2]) || secondsUsed() >= ${SECONDS_MAX} || world > Number(knownWorld ?? Infinity);
for (; knownWorld !== '${WORK}' && !isLast(); world += 1) {
  const dice = new Dice(${seed} + world * 7919);
  const rows = drawWorld(dice);
  for (let at = 0; at < 5; at += 1) {
    const { query: drawn } = drawQueryOfEra(dice, rows);
    if (!isSame(rows, dice.chance(0.1) ? { ...drawn, limit: dice.between(1, 4) } : drawn)) caught();
  }
  if (world % 2 === 0) {
    const packing = drawSmallPacking(dice);
    if (!isSame(packing.rows, packing.query)) caught();
  }
  if (world % 8 === 0 && findLostAmongOthers(dice) !== null) caught();
}
console.log(pairs, world);
`;

const engine = filesOf('src/placement/candidate-search');
const sources = [
  ...engine,
  ...filesOf('src/placement/domain'),
  ...filesOf('src/platform/values'),
  ...filesOf('test/properties').filter((file) =>
    /candidates-(model|worlds|compare|shown|packings|work)\.ts$/.test(file),
  ),
];
/** All faults, or those whose names contain the given text. */
const chosen = Object.entries(FAULTS).filter(([fault]) => fault.includes(text));
const folder = mkdtempSync(join(tmpdir(), 'berth-engine-faults-'));
const worlds = { ...cases.worlds };
const outdated = [];
let unnoticed = 0;
try {
  writeFileSync(join(folder, 'run.js'), RUNNER);
  for (const file of sources) write(file, read(file));
  copyFileSync(join(root, TRAITS), join(folder, TRAITS));
  const sound = run(PAIRS_OF_SOUND);
  if (sound.isDifferent || sound.pairs === 0) throw new Error(`the sound engine differs from the model, seed ${seed}`);
  console.log(`sound engine: ${sound.pairs} pairs agree, seed ${seed}`);
  for (const [fault, edits] of chosen) {
    const files = plant(edits);
    const { isDifferent, pairs, world } = detect(known[fault]);
    for (const file of files) write(file, read(file));
    console.log(`${isDifferent ? 'caught' : 'UNNOTICED'}: ${fault} (${pairs} pairs, world ${world})`);
    if (!isDifferent) unnoticed += 1;
    worlds[fault] = world;
    if (!isUpdate && known[fault] !== undefined && world !== known[fault]) outdated.push(fault);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (isUpdate) {
  const names = Object.keys(FAULTS).filter((fault) => worlds[fault] !== undefined);
  const kept = Object.fromEntries(names.map((fault) => [fault, worlds[fault]]));
  writeFileSync(CASES, `${JSON.stringify({ seed, worlds: kept }, null, 2)}\n`);
}
if (outdated.length > 0)
  console.log(`Slow: ${outdated.length} known worlds detect their faults no more. Run with --update.`);
console.log(`${chosen.length - unnoticed} of ${chosen.length} planted faults caught`);
process.exit(unnoticed === 0 ? 0 : 1);

function filesOf(path) {
  return readdirSync(join(root, path))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
    .map((name) => `${path}/${name}`);
}

function read(file) {
  return readFileSync(join(root, file), 'utf8');
}

/** Returns the changed files. */
function plant(edits) {
  const changed = new Map();
  for (let at = 0; at < edits.length; at += 2) {
    const found = engine.filter((file) => read(file).includes(edits[at]));
    if (found.length !== 1) throw new Error(`"${edits[at]}" is in ${found.length} files: change this script`);
    changed.set(
      found[0],
      (changed.get(found[0]) ?? read(found[0])).replace(edits[at], () => edits[at + 1]),
    );
  }
  for (const [file, text] of changed) write(file, text);
  return [...changed.keys()];
}

/** Strips types without checking them: a mutated source need not compile. */
function write(file, text) {
  const { code } = transformSync(text, {
    swcrc: false,
    module: { type: 'commonjs' },
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
  });
  const path = join(folder, file.replace(/\.ts$/, '.js'));
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, code);
}

/** Compares in the known world first. */
function detect(knownWorld) {
  const result = knownWorld === undefined ? undefined : run(PAIRS_MAX, knownWorld);
  return result?.isDifferent === true ? result : run(PAIRS_MAX);
}

/** In all worlds, or in a known one only. */
function run(pairsMax, knownWorld = '') {
  const seconds = knownWorld === '' ? HUNG_AFTER_SECONDS : HUNG_IN_ONE_WORLD_AFTER_SECONDS;
  const bounded = `ulimit -t ${seconds} && exec "$0" run.js ${pairsMax} ${knownWorld}`;
  const { status, stdout, stderr, error } = spawnSync('sh', ['-c', bounded, process.execPath], {
    cwd: folder,
    encoding: 'utf8',
  });
  // A search that never ends or exhausts memory also counts as detected.
  if (error !== undefined || status === null) return { isDifferent: true, pairs: 0, world: knownWorld };
  if (status !== 0 && status !== 3) throw new Error(`the comparison broke: ${stderr}`);
  const [pairs, world] = stdout.trim().split(' ');
  return { isDifferent: status === 3, pairs: Number(pairs), world: world === WORK ? WORK : Number(world) };
}
