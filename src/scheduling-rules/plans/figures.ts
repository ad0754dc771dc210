// The figures of a plan, by the sums over the hosts' trees; closed hosts and those left alone are included.
import type { PlanFigures } from './plan';
import type { PlanCloud } from './plan-cloud';

export function figuresOf(cloud: PlanCloud, places: number | null): PlanFigures {
  const { hosts, resources, capacity, used } = cloud;
  const usedHosts = hosts.filter((_, host) => cloud.instancesOn(host).length > 0).length;
  let highestUse = 0;
  let mostUsed: readonly number[] = [];
  let mostUse = -1;
  resources.forEach((_, column) => {
    const uses: number[] = [];
    let sumUsed = 0;
    let sum = 0;
    for (let at = column; at < capacity.length; at += resources.length) {
      if (!((capacity[at] as number) > 0)) continue;
      uses.push((used[at] as number) / (capacity[at] as number));
      sumUsed += used[at] as number;
      sum += capacity[at] as number;
    }
    for (const use of uses) highestUse = Math.max(highestUse, use);
    if (sum === 0 || sumUsed / sum <= mostUse) return;
    mostUse = sumUsed / sum;
    mostUsed = uses;
  });
  return {
    usedHosts,
    emptyHosts: hosts.length - usedHosts,
    highestUse,
    spread: 100 * deviationOf(mostUsed),
    places,
  };
}

/** Standard deviation; 0 without values. */
function deviationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  return Math.sqrt(variance);
}
