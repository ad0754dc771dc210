// Random small clouds with small flavors; their text form; and shrinking while a condition holds.

import type { ResourceRequest } from '../../src/placement/candidate-search';
import type { Dice } from './candidates-worlds';
import type { ModelCloud, ModelFlavor, ModelGroup, ModelInventory, ModelProvider } from './stranded-model';

const CLASSES = ['VCPU', 'MEMORY_MB', 'DISK_GB', 'VGPU'];
const TRAITS = ['CUSTOM_A', 'CUSTOM_B'];
const SHARES = 'MISC_SHARES_VIA_AGGREGATE';

export function drawCloud(dice: Dice): ModelCloud {
  const providers: ModelProvider[] = [];
  const hosts = dice.between(1, 2);
  const hasPool = dice.chance(0.35);
  for (let host = 1; host <= hosts; host += 1) {
    const children = dice.pick([0, 0, 0, 1, 2, 2, 3]);
    const name = `cn${host}`;
    providers.push(drawProvider(dice, name, null, children === 0 ? 0.75 : 0.4, hasPool));
    for (let child = 0; child < children; child += 1) {
      providers.push(drawProvider(dice, `${name}-${child}`, name, 0.5, hasPool && dice.chance(0.3)));
      if (dice.chance(0.15)) providers.push(drawProvider(dice, `${name}-${child}-x`, `${name}-${child}`, 0.5, false));
    }
  }
  if (hasPool) {
    const inventories = { DISK_GB: drawInventory(dice), ...(dice.chance(0.3) && { VGPU: drawInventory(dice) }) };
    providers.push({ name: 'pool', parent: null, traits: [SHARES], aggregates: ['agg'], inventories });
    if (dice.chance(0.2)) providers.push({ ...drawProvider(dice, 'pool2', null, 0.4, true), traits: [SHARES] });
  }
  return { providers, flavors: Array.from({ length: dice.between(1, 3) }, () => drawFlavor(dice)) };
}

function drawProvider(
  dice: Dice,
  name: string,
  parent: string | null,
  share: number,
  isMember: boolean,
): ModelProvider {
  const inventories = Object.fromEntries(dice.some(CLASSES, share).map((each) => [each, drawInventory(dice)]));
  const aggregates = isMember && dice.chance(0.8) ? ['agg'] : [];
  return { name, parent, traits: dice.some(TRAITS, 0.4), aggregates, inventories };
}

function drawInventory(dice: Dice): ModelInventory {
  const total = dice.between(1, 7);
  return {
    total,
    reserved: dice.chance(0.15) ? dice.between(0, total) : 0,
    min: dice.chance(0.1) ? 2 : 1,
    max: dice.chance(0.25) ? dice.between(1, 4) : total,
    step: dice.chance(0.1) ? 2 : 1,
    ratio: dice.pick([1, 1, 1, 1, 1.5, 0.7, 2]),
    used: dice.chance(0.3) ? dice.between(0, total) : 0,
  };
}

function drawFlavor(dice: Dice): ModelFlavor {
  const suffixes = dice.pick([[''], [''], [''], ['', '1'], ['1'], ['1', '2'], ['', '1', '2']]);
  const groups = suffixes.map((suffix) => drawGroup(dice, suffix));
  const granular = suffixes.filter((suffix) => suffix !== '');
  return {
    groups,
    isolate: granular.length > 1 && dice.chance(0.5),
    sameSubtree: granular.length > 1 && dice.chance(0.3) ? [granular] : [],
    rootRequired: dice.chance(0.15) ? [dice.pick(TRAITS)] : [],
  };
}

function drawGroup(dice: Dice, suffix: string): ModelGroup {
  const classes = dice.some(CLASSES, suffix === '' ? 0.45 : 0.3);
  if (classes.length === 0) classes.push(dice.pick(CLASSES));
  return {
    suffix,
    resources: Object.fromEntries(classes.map((each) => [each, dice.between(1, 4)])),
    required: dice.chance(0.2) ? [dice.pick(TRAITS)] : [],
    forbidden: dice.chance(0.1) ? [dice.pick(TRAITS)] : [],
  };
}

/** In the text format of test/world. */
export function cloudAsText({ providers }: ModelCloud): string {
  const lines: string[] = [];
  const draw = (provider: ModelProvider, indent: string): void => {
    const inventories = Object.entries(provider.inventories).map(([name, { total, used, ...rest }]) => {
      const { reserved, min, max, step, ratio } = rest;
      const options = `reserved=${reserved},min=${min},max=${max},step=${step},ratio=${ratio}`;
      return `${name}:${total}(${options})/${used}`;
    });
    const aggregates = provider.aggregates.map((aggregate) => `@${aggregate}`);
    const traits = provider.traits.length === 0 ? [] : [`{${provider.traits.join()}}`];
    lines.push(`${indent}${[provider.name, ...inventories, ...traits, ...aggregates].join(' ')}`);
    for (const child of providers) if (child.parent === provider.name) draw(child, `${indent}  `);
  };
  for (const provider of providers) if (provider.parent === null) draw(provider, '');
  return lines.join('\n');
}

export const requestOf = ({ groups, isolate, sameSubtree, rootRequired }: ModelFlavor): ResourceRequest => ({
  groups: groups.map(({ suffix, resources, required, forbidden }) => ({
    suffix,
    resources: new Map(Object.entries(resources)),
    requiredTraits: required.map((trait) => [trait]),
    forbiddenTraits: forbidden,
    memberOf: [],
    forbiddenAggregates: [],
    inTree: null,
  })),
  groupPolicy: isolate ? 'isolate' : 'none',
  sameSubtree,
  rootRequired,
  rootForbidden: [],
  limit: null,
  nestedAware: true,
});

/** Shrinks the cloud by leaving out parts while `isStill` holds. */
export function shrunken(cloud: ModelCloud, isStill: (smaller: ModelCloud) => boolean): ModelCloud {
  for (const smaller of smallerOnes(cloud)) if (isStill(smaller)) return shrunken(smaller, isStill);
  return cloud;
}

function* smallerOnes({ providers, flavors }: ModelCloud): Generator<ModelCloud> {
  for (const { name } of providers) {
    if (providers.some(({ parent }) => parent === name)) continue;
    yield { providers: providers.filter((other) => other.name !== name), flavors };
  }
  for (const flavor of flavors) {
    if (flavors.length > 1) yield { providers, flavors: flavors.filter((other) => other !== flavor) };
  }
  for (const provider of providers) {
    const put = (changed: ModelProvider): ModelCloud => ({
      providers: providers.map((other) => (other === provider ? changed : other)),
      flavors,
    });
    for (const name of Object.keys(provider.inventories)) {
      const { [name]: _, ...inventories } = provider.inventories;
      yield put({ ...provider, inventories });
    }
    for (const trait of provider.traits) {
      yield put({ ...provider, traits: provider.traits.filter((other) => other !== trait) });
    }
  }
}
