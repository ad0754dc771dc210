// Converts a candidates query between the form, the query string of the API and the command of the `openstack` client.
// Pure. Validation is left to the service.

/** One group of the form. Amounts are texts because the user may be typing one. */
export interface FormGroup {
  /** Empty for the unnumbered group, whose resources can come from several providers. */
  readonly suffix: string;
  readonly resources: readonly { readonly resourceClass: string; readonly amount: string }[];
  /** Terms: `T`, `!T` for a forbidden trait, `in:T,U` for any of several. */
  readonly required: readonly string[];
  /** Terms of aggregates, by uuid. */
  readonly memberOf: readonly string[];
  readonly inTree: string;
}

export interface FormQuery {
  /** Always begins with the group without a suffix. */
  readonly groups: readonly FormGroup[];
  readonly groupPolicy: string;
  /** Each is a list of suffixes, for example `_A,_B`. */
  readonly sameSubtree: readonly string[];
  /** Traits of the root; `!` marks a forbidden one. */
  readonly rootRequired: readonly string[];
  readonly limit: string;
}

export const emptyGroup = (suffix: string): FormGroup => ({
  suffix,
  resources: [{ resourceClass: '', amount: '' }],
  required: [],
  memberOf: [],
  inTree: '',
});

const GROUP_KEY = /^(resources|required|member_of|in_tree)(.*)$/;

/** Parses a query string, with or without a path. `unknown` lists the parameters that the form does not have. */
export function readQuery(text: string): { readonly query: FormQuery; readonly unknown: readonly string[] } {
  const groups = new Map<string, FormGroup>([['', { ...emptyGroup(''), resources: [] }]]);
  const whole = { groupPolicy: '', sameSubtree: [] as string[], rootRequired: [] as string[], limit: '' };
  const unknown: string[] = [];
  for (const [name, value] of new URLSearchParams(text.trim().replace(/^[^?]*\?/, ''))) {
    if (name === 'group_policy') whole.groupPolicy = value;
    else if (name === 'limit') whole.limit = value;
    else if (name === 'same_subtree') whole.sameSubtree.push(value);
    else if (name === 'root_required') whole.rootRequired.push(...namesIn(value));
    else {
      const [, kind, suffix = ''] = GROUP_KEY.exec(name) ?? [];
      if (kind === undefined) unknown.push(name);
      else groups.set(suffix, withPart(groups.get(suffix) ?? { ...emptyGroup(suffix), resources: [] }, kind, value));
    }
  }
  const filled = [...groups.values()].map((group) =>
    group.resources.length > 0 ? group : { ...group, resources: emptyGroup('').resources },
  );
  return { query: { ...whole, groups: filled }, unknown };
}

function withPart(group: FormGroup, kind: string, value: string): FormGroup {
  if (kind === 'resources') {
    const added = namesIn(value).map((each) => {
      const [resourceClass = '', amount = ''] = each.split(':');
      return { resourceClass, amount };
    });
    return { ...group, resources: [...group.resources, ...added] };
  }
  if (kind === 'required') return { ...group, required: [...group.required, ...termsIn(value)] };
  if (kind === 'member_of') return { ...group, memberOf: [...group.memberOf, value] };
  return { ...group, inTree: value };
}

const namesIn = (value: string): string[] => value.split(',').filter((name) => name !== '');

/** `in:A,B` is one term, `A,!B` are two. */
const termsIn = (value: string): string[] => (/^!?in:/.test(value) ? [value] : namesIn(value));

/** The query string. Empty fields are left out. */
export function writeQuery({ groups, groupPolicy, sameSubtree, rootRequired, limit }: FormQuery): string {
  const parts: string[] = [];
  const add = (name: string, value: string): void => {
    if (value !== '') parts.push(`${name}=${readable(value)}`);
  };
  for (const { suffix, resources, required, memberOf, inTree } of groups) {
    const amounts = resources.filter(({ resourceClass, amount }) => resourceClass !== '' && amount !== '');
    add(`resources${suffix}`, amounts.map(({ resourceClass, amount }) => `${resourceClass}:${amount}`).join(','));
    add(`required${suffix}`, required.filter((term) => !term.includes('in:')).join(','));
    for (const term of required.filter((each) => each.includes('in:'))) add(`required${suffix}`, term);
    for (const term of memberOf) add(`member_of${suffix}`, term);
    add(`in_tree${suffix}`, inTree);
  }
  add('group_policy', groupPolicy);
  for (const suffixes of sameSubtree) add('same_subtree', suffixes);
  add('root_required', rootRequired.join(','));
  add('limit', limit);
  return parts.join('&');
}

/** URL-encoded except for `:` and `,`, which a query can contain unencoded. */
const readable = (value: string): string => encodeURIComponent(value).replaceAll('%3A', ':').replaceAll('%2C', ',');

/** The same search as a command of `openstack` with its placement plug-in; `leftOut` lists what it cannot express. */
export function commandOf(query: FormQuery): { readonly command: string; readonly leftOut: readonly string[] } {
  const words = ['openstack --os-placement-api-version 1.39 allocation candidate list'];
  const leftOut: string[] = [];
  const add = (option: string, value: string): void => {
    if (value !== '') words.push(`${option} ${quoted(value)}`);
  };
  for (const { suffix, resources, required, memberOf, inTree } of query.groups) {
    // The CLI numbers groups and has no names for them.
    if (/^\d+$/.test(suffix)) add('--group', suffix);
    else if (suffix !== '') {
      leftOut.push(`group ${suffix}`);
      continue;
    }
    for (const { resourceClass, amount } of resources) {
      if (resourceClass !== '' && amount !== '') add('--resource', `${resourceClass}=${amount}`);
    }
    for (const term of required) {
      if (term.startsWith('!')) add('--forbidden', term.slice(1));
      else add('--required', term.replace(/^in:/, ''));
    }
    for (const term of memberOf) {
      if (term.startsWith('!')) leftOut.push(`member_of${suffix}=${term}`);
      else add('--member-of', term.replace(/^in:/, ''));
    }
    if (inTree !== '') leftOut.push(`in_tree${suffix}`);
  }
  add('--group-policy', query.groupPolicy);
  add('--limit', query.limit);
  if (query.sameSubtree.length > 0) leftOut.push('same_subtree');
  if (query.rootRequired.length > 0) leftOut.push('root_required');
  return { command: words.join(' \\\n  '), leftOut };
}

const quoted = (word: string): string => (/^[\w:=,.@/-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

/** Applies `rename` to each name of a term and keeps the markers. */
export function renamed(term: string, rename: (name: string) => string): string {
  const [, marks = '', names = ''] = /^(!?(?:in:)?)(.*)$/.exec(term) ?? [];
  return `${marks}${names.split(',').map(rename).join(',')}`;
}

/** The smallest suffix that is not in use. */
export function nextSuffix(groups: readonly FormGroup[]): string {
  const taken = new Set(groups.map(({ suffix }) => suffix));
  for (let at = 1; ; at += 1) if (!taken.has(String(at))) return String(at);
}

/** The query of a form that is not filled in yet. */
export const FIRST_QUERY = readQuery(
  'resources=VCPU:2,MEMORY_MB:4096&required=!COMPUTE_STATUS_DISABLED&limit=50',
).query;
