// Finds named things of the cloud by any part of their names, with the page that answers the usual question about each.

export interface Named {
  readonly kind: 'flavor' | 'aggregate' | 'zone' | 'trait';
  readonly label: string;
  readonly to: string;
}

interface Names {
  readonly flavors: readonly string[];
  readonly aggregates: readonly { readonly uuid: string; readonly name: string }[];
  readonly zones: readonly string[];
  readonly traits: readonly string[];
}

const SHOWN_OF_KIND = 5;

const query = (name: string, value: string): string => new URLSearchParams({ [name]: value }).toString();

export function namedBy(text: string, { flavors, aggregates, zones, traits }: Names): readonly Named[] {
  const all: readonly Named[][] = [
    flavors.map((label) => ({ kind: 'flavor', label, to: `/map?${query('flavor', label)}` })),
    aggregates.map(({ uuid, name }) => ({
      kind: 'aggregate',
      label: name,
      to: `/hosts?${query('host_aggregate', uuid)}`,
    })),
    zones.map((label) => ({ kind: 'zone', label, to: `/hosts?${query('availability_zone', label)}` })),
    traits.map((label) => ({ kind: 'trait', label, to: `/hosts?${query('trait', label)}` })),
  ];
  return all.flatMap((named) => best(text.toLowerCase(), named));
}

/** Names that begin with the text come first. */
function best(text: string, named: readonly Named[]): readonly Named[] {
  const found = named.filter(({ label }) => label.toLowerCase().includes(text));
  const begins = ({ label }: Named): number => Number(label.toLowerCase().startsWith(text));
  return found.sort((a, b) => begins(b) - begins(a)).slice(0, SHOWN_OF_KIND);
}
