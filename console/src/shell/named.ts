// Finds named things of the cloud by any part of their names, with the page that answers the usual question about each.
import { pathTo, projectPath } from '../address/path-to';

export interface Named {
  readonly kind: 'flavor' | 'aggregate' | 'group' | 'project' | 'zone' | 'trait';
  readonly label: string;
  readonly to: string;
}

interface Names {
  readonly flavors: readonly string[];
  readonly aggregates: readonly { readonly value: string; readonly label: string }[];
  readonly groups: readonly { readonly uuid: string; readonly name: string }[];
  readonly projects: readonly string[];
  readonly zones: readonly string[];
  readonly traits: readonly string[];
}

const SHOWN_OF_KIND = 5;

export function namedBy(text: string, names: Names): readonly Named[] {
  const { flavors, aggregates, groups, projects, zones, traits } = names;
  const all: readonly Named[][] = [
    flavors.map((label) => ({ kind: 'flavor', label, to: pathTo('/map', { flavor: label }) })),
    aggregates.map(({ value, label }) => ({
      kind: 'aggregate',
      label,
      to: pathTo('/hosts', { host_aggregate: value }),
    })),
    groups.map(({ uuid, name: label }) => ({ kind: 'group', label, to: pathTo('/registries/groups', { open: uuid }) })),
    projects.map((label) => ({ kind: 'project', label, to: projectPath(label) })),
    zones.map((label) => ({ kind: 'zone', label, to: pathTo('/hosts', { availability_zone: label }) })),
    traits.map((label) => ({ kind: 'trait', label, to: pathTo('/hosts', { trait: label }) })),
  ];
  return all.flatMap((named) => best(text.toLowerCase(), named));
}

/** Names that begin with the text come first. */
function best(text: string, named: readonly Named[]): readonly Named[] {
  const found = named.filter(({ label }) => label.toLowerCase().includes(text));
  const begins = ({ label }: Named): number => Number(label.toLowerCase().startsWith(text));
  return found.sort((a, b) => begins(b) - begins(a)).slice(0, SHOWN_OF_KIND);
}
