// Finds the kinds of change between two versions of a tree: the log says only that the tree changed.
import type { Inventory, Provider, Tree } from '../../placement/candidate-search';

export type ChangeKind = 'usage' | 'inventory' | 'provider' | 'host' | 'registry';

/** A tree that exists on one side only is a change of kind `provider`. So is a tree without a visible difference. */
export function changedKinds(before: Tree | undefined, after: Tree | undefined): readonly ChangeKind[] {
  if (before === undefined || after === undefined || !sameShape(before, after)) return ['provider'];
  const kinds = new Set<ChangeKind>();
  after.providers.forEach((provider, at) => {
    const former = before.providers[at];
    if (former === undefined || former === provider) return;
    const [old, young] = [former.inventories, provider.inventories];
    if (old.length !== young.length || old.some((each, nth) => !sameRecord(each, young[nth]))) kinds.add('inventory');
    if (old.some((each, nth) => each.used !== young[nth]?.used)) kinds.add('usage');
  });
  return kinds.size === 0 ? ['provider'] : [...kinds];
}

const sameShape = (before: Tree, after: Tree): boolean =>
  before.providers.length === after.providers.length &&
  after.providers.every((provider, at) => isLike(provider, before.providers[at]));

function isLike(provider: Provider, former: Provider | undefined): boolean {
  if (former === provider) return true;
  if (former === undefined || former.id !== provider.id || former.name !== provider.name) return false;
  if (former.uuid !== provider.uuid || former.parentId !== provider.parentId) return false;
  return sameNames([...former.traits], [...provider.traits]) && sameNames(former.aggregates, provider.aggregates);
}

const sameNames = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((name, at) => name === other[at]);

const sameRecord = (one: Inventory, other: Inventory | undefined): boolean =>
  other !== undefined &&
  one.resourceClass === other.resourceClass &&
  one.total === other.total &&
  one.reserved === other.reserved &&
  one.minUnit === other.minUnit &&
  one.maxUnit === other.maxUnit &&
  one.stepSize === other.stepSize &&
  one.allocationRatio === other.allocationRatio;
