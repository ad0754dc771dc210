// The compared part of an answer. Omits request ids, dates, hosts, the order of unordered lists, wording except
// fragments that deployed clients parse, and rows of earlier runs.

/** Fragments of `detail` that clients parse. */
const FRAGMENTS = [
  'consumer generation conflict',
  'Conflicting resource provider name:',
  'Conflicting resource provider',
  "is not a 'uuid'",
  'No inventory of class',
  'Unknown resource class',
];

export function normalise(answer, { prefix, tag }) {
  const { status, headers, text } = answer;
  const type = (headers['content-type'] ?? '').replace(/\s+/g, '').toLowerCase();
  const hasJson = type.startsWith('application/json') && text !== '';
  return {
    status,
    headers: {
      version: headers['openstack-api-version'],
      vary: headers.vary?.toLowerCase(),
      type: type || undefined,
      location: headers.location?.replace(/^https?:\/\/[^/]+/, '').replace(prefix, ''),
      allow: headers.allow
        ?.split(',')
        .map((method) => method.trim())
        .sort()
        .join(','),
      cache: headers['cache-control'],
      modified: headers['last-modified'] === undefined ? 'absent' : 'present',
      authenticate: headers['www-authenticate'] === undefined ? 'absent' : 'present',
      requestId: /^req-[0-9a-f-]{36}$/.test(headers['x-openstack-request-id'] ?? '') ? 'present' : 'absent',
    },
    body: hasJson ? plain(parsed(text), tag) : text === '' ? '' : wordless(text),
  };
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return `not JSON: ${text.slice(0, 80)}`;
  }
}

/** HTML pages: only their existence counts. */
function wordless(text) {
  return /^\s*<html/i.test(text) ? 'a page' : 'text';
}

function plain(value, tag) {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  if (Array.isArray(value.errors)) return { error: plainError(value.errors[0]), others: value.errors.length - 1 };
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainPart(key, item, tag)]));
}

function plainError({ detail, request_id: id, ...rest }) {
  return {
    ...rest,
    fragments: FRAGMENTS.filter((fragment) => String(detail).includes(fragment)),
    hasId: /^req-/.test(id ?? ''),
  };
}

/** Sorts lists without an order; in lists of everything, keeps the rows of this run and predefined ones. */
function plainPart(key, item, tag) {
  const isHostOfService = (name) => !name.startsWith('CUSTOM_') || name.includes(tag.toUpperCase());
  switch (key) {
    case 'resource_providers':
      return item.filter(({ uuid }) => uuid.includes(tag) || uuid.startsWith('generated')).sort(by(({ uuid }) => uuid));
    case 'resource_classes':
      return item.filter(({ name }) => isHostOfService(name)).sort(by(({ name }) => name));
    case 'traits':
      return item.filter(isHostOfService).sort();
    case 'aggregates':
      return [...item].sort();
    case 'allocation_requests':
      return item.map(plainRequest).sort();
    case 'provider_summaries':
      return Object.fromEntries(
        Object.entries(item).map(([uuid, { traits, ...rest }]) => [
          uuid,
          { ...rest, ...(traits !== undefined && { traits: [...traits].sort() }) },
        ]),
      );
    default:
      return item;
  }
}

/** One candidate as a text without dependence on order. */
function plainRequest({ allocations, mappings }) {
  const sets = Array.isArray(allocations)
    ? allocations.map(({ resource_provider: provider, resources }) => [`list ${provider.uuid}`, resources])
    : Object.entries(allocations).map(([uuid, { resources }]) => [uuid, resources]);
  const named = Object.entries(mappings ?? {}).map(([suffix, uuids]) => [suffix, [...uuids].sort()]);
  return JSON.stringify([
    sets.map(([uuid, resources]) => [uuid, Object.entries(resources).sort()]).sort(),
    mappings === undefined ? 'no mappings' : named.sort(),
  ]);
}

const by = (key) => (one, other) => (key(one) < key(other) ? -1 : 1);

/** The places where two normalised answers differ. If the statuses differ, nothing else is compared. */
export function differences(berth, other) {
  if (berth.status !== other.status) return [{ what: 'status', berth: berth.status, other: other.status }];
  const headers = Object.keys(berth.headers)
    .filter((name) => berth.headers[name] !== other.headers[name])
    .map((name) => ({ what: `header ${name}`, berth: berth.headers[name], other: other.headers[name] }));
  return [...headers, ...inside(berth.body, other.body, 'body')];
}

function inside(berth, other, what) {
  const isObject = (value) => value !== null && typeof value === 'object';
  if (!isObject(berth) || !isObject(other) || Array.isArray(berth) !== Array.isArray(other)) {
    return berth === other ? [] : [{ what, berth, other }];
  }
  if (Array.isArray(berth)) {
    return JSON.stringify(sortedKeys(berth)) === JSON.stringify(sortedKeys(other)) ? [] : [{ what, berth, other }];
  }
  const names = new Set([...Object.keys(berth), ...Object.keys(other)]);
  return [...names].flatMap((name) => inside(berth[name], other[name], `${what}.${name}`));
}

function sortedKeys(value) {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((key) => [key, sortedKeys(value[key])]),
  );
}
