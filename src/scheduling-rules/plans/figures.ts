// The figures of a plan, by the sums over the hosts' trees; closed hosts and those left alone are included.
import type { PlanFigures } from './plan';
import type { PlanCloud } from './plan-cloud';

export function figuresOf(cloud: PlanCloud, places: number | null): PlanFigures {
  const { hosts, resources, capacity, used } = cloud;
  const usedHosts = hosts.filter((_, host) => cloud.instancesOn(host).length > 0).length;
  const classes = resources.map((_, column) => {
    const having = hosts
      .map((_host, host) => host * resources.length + column)
      .filter((at) => (capacity[at] as number) > 0);
    const sumOf = (values: Float64Array): number => having.reduce((sum, at) => sum + (values[at] as number), 0);
    return {
      use: sumOf(used) / sumOf(capacity),
      uses: having.map((at) => (used[at] as number) / (capacity[at] as number)),
    };
  });
  const known = classes.filter(({ uses }) => uses.length > 0);
  const mostUsed = known.toSorted((one, other) => other.use - one.use)[0]?.uses ?? [];
  const mean = mostUsed.reduce((sum, use) => sum + use, 0) / Math.max(1, mostUsed.length);
  const variance = mostUsed.reduce((sum, use) => sum + (use - mean) ** 2, 0) / Math.max(1, mostUsed.length);
  return {
    usedHosts,
    emptyHosts: hosts.length - usedHosts,
    highestUse: classes.flatMap(({ uses }) => uses).reduce((most, use) => Math.max(most, use), 0),
    spread: 100 * Math.sqrt(variance),
    places,
  };
}
