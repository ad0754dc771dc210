// The list of intended differences between Berth and the reference. Each has a reason and a reference to the contract;
// any other difference fails the run. `leavesApart`: the two services then hold different rows, so a stream must
// continue with another cloud.

const asked = (pattern, { request }) => pattern.test(`${request.method} ${request.path}`);
const statuses = ({ what, berth, other }, expected) => what === 'status' && `${berth} ${other}` === expected;

export const KNOWN = [
  {
    name: 'answers to HEAD name the type of the document they leave out',
    reason: 'They have no body; the reference names a type that it never uses otherwise.',
    spec: 'placement-api 1.3, 1.5',
    explains: ({ what }, exchange) => what === 'header type' && asked(/^HEAD /, exchange),
  },
  {
    name: 'vary is always sent',
    reason: 'The reference leaves it out where an error is raised rather than returned; caches profit from it.',
    spec: 'placement-api 1.2',
    explains: ({ what, berth, other }) =>
      what === 'header vary' && berth === 'openstack-api-version' && other === undefined,
  },
  {
    name: 'L14: PUT of a provider says when it changed',
    reason: 'The reference sends the time before the change, or none.',
    spec: 'L14',
    explains: ({ what, berth }, exchange) =>
      what === 'header modified' && berth === 'present' && asked(/^PUT \/resource_providers\/[^/]+$/, exchange),
  },
  {
    name: 'standard traits of a newer library',
    reason: 'The list of standard traits is data; a newer library has more of them.',
    spec: 'data/os-traits.json',
    explains: ({ what, berth, other }, exchange) =>
      what === 'body.traits' && asked(/^GET \/traits/, exchange) && other.every((name) => berth.includes(name)),
  },
  {
    name: 'reshapes raise generations by 1 to 3',
    reason: 'Generations are opaque; both rise.',
    spec: 'placement-api 1.14',
    explains: ({ what }) => what === 'generation after a reshape',
  },
  {
    name: 'L18: a filter of traits that nobody knows is refused, prefixes are literal',
    reason: 'The reference ignores unknown operators, cases and SQL wildcards.',
    spec: 'L18',
    explains: (difference, exchange) =>
      asked(/^GET \/traits\?.*name=/, exchange) &&
      (statuses(difference, '400 200') ||
        (difference.what === 'body.traits' && /startswith:/.test(exchange.request.path))),
  },
  {
    name: 'L9: a limit that is no number is refused',
    reason: 'The reference checks only the last one, and before some versions none.',
    spec: 'L9',
    explains: (difference, exchange) =>
      statuses(difference, '400 500') && isItsFailure(exchange) && asked(/allocation_candidates\?.*limit=/, exchange),
  },
  {
    name: 'L28: losing a race for traits or classes is no failure',
    reason: 'The reference answers 500 where processes meet.',
    spec: 'L27, L28',
    leavesApart: true,
    explains: ({ what, berth, other }, exchange) =>
      what === 'status' &&
      other === 500 &&
      berth < 500 &&
      isItsFailure(exchange) &&
      /Deadlock|Duplicate entry|lock wait|StaleData|DBDuplicate|ConcurrentUpdate/i.test(exchange.texts.other),
  },
  {
    name: 'every process knows new classes and traits at once',
    reason: 'The processes of the reference keep their own lists of names.',
    spec: 'upstream-limitations L35',
    leavesApart: true,
    explains: ({ what, berth, other }, { texts }) =>
      what === 'status' && berth < 300 && other === 400 && /No such (?:resource class|trait)/.test(texts.other),
  },
  {
    name: 'a class that was answered for exists',
    reason:
      'Of two made at the same moment the reference confirms one without making it; lists of names also grow old.',
    spec: 'upstream-limitations L35',
    leavesApart: true,
    explains: (difference, exchange) =>
      (statuses(difference, '201 204') && asked(/^PUT \/resource_classes\//, exchange)) ||
      (statuses(difference, '404 200') && asked(/^GET \/resource_classes\//, exchange)),
  },
  {
    name: 'L5: a ghost keeps the type of its refused write',
    reason: 'The reference shows it when a version without types writes the consumer; nobody stored it here.',
    spec: 'L5',
    leavesApart: true,
    explains: ({ what, berth }, exchange) =>
      what === 'body.consumer_type' && berth === 'unknown' && asked(/^GET \/allocations\//, exchange),
  },
  {
    name: 'L5, L6: a refused first write leaves no consumer behind',
    reason: 'The ghost of the reference refuses later writes that expect no consumer.',
    spec: 'L5, L6',
    leavesApart: true,
    explains: ({ what }, { texts }) =>
      (what === 'status' || what.startsWith('body.error')) && /expected 0 but got (?:None|\d)/.test(texts.other),
  },
  {
    name: 'L22: a reshape follows the rule of records',
    reason: 'The reference takes records that reserve more than there is.',
    spec: 'L22; allocations-and-reshaper 6',
    leavesApart: true,
    explains: (difference, exchange) =>
      (statuses(difference, '400 204') || statuses(difference, '400 409')) &&
      asked(/^POST \/reshaper$/, exchange) &&
      /Invalid inventory/.test(exchange.texts.berth),
  },
  {
    name: 'L23: a write that does not worsen an over-full provider is taken',
    reason: 'Otherwise nothing can be moved away from it; the newer reference does the same.',
    spec: 'L23; allocations-and-reshaper 3 (RH)',
    leavesApart: true,
    explains: (difference, exchange) =>
      statuses(difference, '204 409') && /exceed|[Cc]apacity|Unable to allocate/.test(exchange.texts.other),
  },
  {
    name: 'amounts are decimal integers',
    reason: 'The reference takes what its language takes for integers, such as 1_0 and digits of other scripts.',
    spec: 'placement-api 1.13',
    explains: (difference, exchange) =>
      statuses(difference, '400 200') && asked(/^GET .*resources[^=]*=[^&]*:(?:\d+_\d|%D9)/, exchange),
  },
  {
    name: 'the numbers of a version are decimal integers',
    reason: 'The reference takes what its language takes for integers, such as 1_0.',
    spec: 'placement-api 1.2',
    explains: (difference, { request }) =>
      statuses(difference, '400 406') && /\d_\d/.test(request.headers['openstack-api-version'] ?? ''),
  },
  {
    name: 'L12: uuids are equal in every spelling',
    reason: 'The reference keeps and compares most of them as they were written.',
    spec: 'L12; placement-api 1.9',
    explains: ({ berth, other }, exchange) =>
      (typeof berth === 'string' && typeof other === 'string' && bare(berth) === bare(other)) ||
      (hasCapitals(exchange.texts.other) && bodies(exchange.berth) === bodies(exchange.other)) ||
      (asked(/^GET .*[=,:!][0-9a-f]{32}(?:&|,|$)/i, exchange) && exchange.berth.status === exchange.other.status),
  },
  {
    name: 'of several faults another one is told first',
    reason:
      'Both refuse with 400; what is not well-formed, the rules of groups and root_required are judged in another order.',
    spec: 'allocation-candidates 1',
    explains: ({ what }, exchange) =>
      what === 'body.error.code' &&
      exchange.berth.status === 400 &&
      asked(/allocation_candidates\?.*(?:root_required|same_subtree)=/, exchange),
  },
  {
    name: 'L8: all names are validated first',
    reason: 'The reference notices an unknown name only if the search gets that far.',
    spec: 'L8',
    explains: (difference, exchange) =>
      statuses(difference, '400 200') && /No such (?:resource class|trait)/.test(exchange.texts.berth),
  },
  {
    name: 'the path // is the root',
    reason: 'The servers in front of the reference differ; no client asks.',
    spec: 'placement-api 1.3',
    explains: (_, exchange) => asked(/^\w+ \/\/$/, exchange),
  },
  {
    name: 'a path that is not UTF-8 is a bad request',
    reason: 'The reference decodes it as Latin-1 and finds nothing.',
    spec: 'placement-api 1.3, 1.13',
    explains: (difference, exchange) =>
      (statuses(difference, '400 404') || statuses(difference, '400 200')) && asked(/^\w+ \/[^?]*%ff/i, exchange),
  },
  {
    name: 'media types are compared without case',
    reason: 'So says their definition; the reference refuses capitals.',
    spec: 'placement-api 1.4',
    explains: ({ what, other }, { request }) =>
      what === 'status' && other === 415 && /[A-Z]/.test(request.headers['content-type'] ?? ''),
  },
  {
    name: 'system scope as in the newer reference',
    reason: 'Policies follow the newer reference, whose rules are for projects only; scope is enforced.',
    spec: 'placement-api 1.11, L47',
    explains: ({ what, berth }, { request }) =>
      what === 'status' && berth === 403 && request.headers['openstack-system-scope'] !== undefined,
  },
  {
    name: 'policies of the newer reference',
    reason: 'Only the role `service` may reshape.',
    spec: 'placement-api 1.11, L47',
    explains: (difference, exchange) => statuses(difference, '403 400') && asked(/^POST \/reshaper$/, exchange),
  },
  {
    name: 'the words of a 401 are ours',
    reason: 'Only its members are part of the contract.',
    spec: 'placement-api 1.10',
    explains: ({ what }, { berth, other }) =>
      berth.status === 401 && berth.headers.type === other.headers.type && what.startsWith('body'),
  },
  {
    name: 'errors are JSON unless another type has a higher quality',
    reason: 'The reference sends a page if JSON and HTML have the same quality, or if Accept cannot be read.',
    spec: 'placement-api 1.4, 1.5',
    explains: ({ what }, { berth, request }) =>
      berth.status >= 400 &&
      /^(?:header type|body)/.test(what) &&
      berth.headers.type === 'application/json' &&
      hasTie(request),
  },
  {
    name: 'L19: consumer types match exactly',
    reason: 'The reference takes whatever starts with `all`.',
    spec: 'L19',
    explains: (difference, exchange) =>
      statuses(difference, '400 200') && asked(/^GET \/usages\?.*consumer_type=all./, exchange),
  },
  {
    name: 'limit keeps any of the candidates',
    reason: 'Which ones is undefined; both keep as many.',
    spec: 'allocation-candidates 5, rule 8; L15',
    explains: ({ what }, { evidence, berth, other }) =>
      isAboutCandidates(what) && evidence?.limit !== undefined && count(berth) === count(other) && isWhole(evidence),
  },
  {
    name: 'L1, L2: the reference loses or spoils candidates',
    reason: 'What it offers anchor by anchor, and without sharing amounts among candidates, is what Berth offers.',
    spec: 'L1, L2; allocation-candidates E12, E17',
    explains: ({ what }, { evidence, berth, request }) =>
      isAboutCandidates(what) && evidence !== undefined && isWhole(evidence) && isAll(evidence, berth, request),
  },
  {
    name: 'L4: a sharing child is no failure',
    reason: 'The reference answers 500 where its own tree has nothing else to offer.',
    spec: 'L4',
    explains: (difference, exchange) =>
      isItsFailure(exchange) && statuses(difference, '200 500') && asked(/^GET \/allocation_candidates/, exchange),
  },
];

function isAboutCandidates(what) {
  return what.startsWith('body.allocation_requests') || what.startsWith('body.provider_summaries');
}

function count(answer) {
  return answer.body.allocation_requests.length;
}

/** Collected anchor by anchor, the other service has the same candidates as Berth. */
function isWhole({ berth, other }) {
  return JSON.stringify(berth) === JSON.stringify(other);
}

/** Below 1.29 some candidates are dropped, so counts are meaningless. */
function isAll(evidence, berth, { minor }) {
  const expected = Math.min(evidence.limit ?? Infinity, evidence.berth.length);
  return minor < 29 ? count(berth) <= expected : count(berth) === expected;
}

function bare(uuid) {
  return uuid.toLowerCase().replace(/[^0-9a-z]/g, '');
}

/** A body with uniform spelling of uuids, ignoring order. */
function bodies({ body }) {
  return [...bare(JSON.stringify(body))].sort().join('');
}

function hasCapitals(text) {
  return /[0-9A-F]{8}-[0-9A-F]{4}/.test(text) && /[A-F]0{7}-/.test(text);
}

/** `Accept` gives JSON and HTML the same quality, or is invalid. */
function hasTie({ headers: { accept = '' } }) {
  return ['text/html, */*', 'application/json, text/html', 'text/html;q=x', 'nonsense'].includes(accept);
}

/** A failure of the reference itself, not of a proxy in front of it. */
function isItsFailure({ texts }) {
  return texts.other.startsWith('{"errors":');
}
