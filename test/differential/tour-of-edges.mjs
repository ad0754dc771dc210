// The part of the tour that is the same in all versions: negotiation, authentication, media types, methods, paths and
// queries, on every route; each fault combined with each other one, which shows the order of validation.
import { namesFor } from './names.mjs';

const MISSING = '88888888-8888-4888-8888-888888888888';

export async function tourOfEdges(pair) {
  const names = namesFor(pair.tag);
  const host = names.uuid('a', 1);
  await pair.ask('POST', '/resource_providers', { body: { name: names.name('edges'), uuid: host } });
  await negotiation(pair);
  await authentication(pair, host);
  await mediaTypes(pair, host);
  await routesAndMethods(pair, host);
  await pathsAndQueries(pair, host);
}

const VERSIONS = [
  'placement 1.0',
  'placement 1.39',
  'placement latest',
  'placement LATEST',
  'placement 1.40',
  'placement 0.9',
  'placement 2.0',
  'placement pony',
  'placement 1',
  'placement 1.2.3',
  'placement 1.',
  'placement .1',
  'placement ',
  'placement',
  'PLACEMENT 1.5',
  'Placement 1.5',
  'compute 2.1',
  'compute 2.1, placement 1.5',
  '1.5',
  'latest',
  '',
  'placement 1.5, compute 2.1',
  'placement 1.4,placement 1.6',
  'placement 1.99, placement 1.6',
  ' placement  1.5 ',
  'placement 1.5,',
  ',placement 1.5',
  'placement -1.5',
  'placement 1.-5',
  'placement +1.5',
  'placement 01.05',
  'placement 1.5 foo',
  'placement 1_0.5',
  'placement 1. 20',
  'placement 1 .20',
  'placement 1.99999999999999999999',
  'compute 2.1, placement pony',
  'placement1.5',
  'placement=1.5',
];

async function negotiation(pair) {
  for (const version of VERSIONS) {
    const headers = { 'openstack-api-version': version };
    for (const path of ['/', '/resource_providers?name=x', '/nowhere']) {
      await pair.ask('GET', path, { minor: null, headers, about: `version "${version}"` });
    }
  }
  for (const path of ['/', '/resource_providers?name=x']) {
    await pair.ask('GET', path, { minor: null });
    await pair.ask('GET', path, { minor: null, headers: { 'x-openstack-placement-api-version': '1.5' } });
    for (const accept of [null, '*/*', 'text/html', 'text/plain', 'image/png']) {
      for (const version of ['placement 1.99', 'placement pony']) {
        await pair.ask('GET', path, { minor: null, headers: { accept, 'openstack-api-version': version } });
      }
    }
  }
}

async function authentication(pair, host) {
  const paths = ['/', '', '//', '/resource_providers', `/resource_providers/${host}`, '/nowhere', '/traits', '/usages'];
  const faces = [
    { 'x-auth-token': null, 'x-roles': null },
    { 'x-auth-token': null, 'x-roles': 'admin' },
    { 'x-auth-token': '', 'x-roles': null },
    { 'x-auth-token': 'nobody', 'x-roles': null },
    { 'x-auth-token': 'admin', 'x-roles': null },
    { 'x-auth-token': 'admin:project', 'x-roles': null },
    { 'x-auth-token': 'alice:wonder', 'x-roles': 'Admin' },
    { 'x-auth-token': 'alice:wonder', 'x-roles': 'member,reader' },
    { 'x-auth-token': 'admin', 'x-roles': 'member' },
    { 'x-auth-token': 'admin', 'x-roles': 'admin', 'openstack-system-scope': 'all' },
  ];
  for (const face of faces) {
    for (const path of paths) {
      for (const accept of ['application/json', null, 'text/html', 'text/plain']) {
        await pair.ask('GET', path, { headers: { ...face, accept } });
      }
      await pair.ask('GET', path, { minor: null, headers: { ...face, 'openstack-api-version': 'placement 1.99' } });
      await pair.ask('DELETE', path.replace(host, MISSING), { headers: face });
    }
    await pair.ask('GET', '/usages?project_id=wonder', { headers: face });
    await pair.ask('GET', '/usages?project_id=other', { headers: face });
    await pair.ask('POST', '/resource_providers', { raw: '{', headers: face });
    await pair.ask('PUT', `/resource_providers/${MISSING}`, { body: {}, headers: face });
    await pair.ask('PUT', `/resource_providers/${MISSING}/traits`, { body: {}, headers: face });
    await pair.ask('POST', '/reshaper', { body: {}, headers: face });
  }
}

const ACCEPTS = [
  null,
  '*/*',
  'application/json',
  'application/*',
  'text/plain',
  'text/html',
  'text/*',
  'image/png',
  'nonsense',
  '',
  'application/json;q=0',
  'text/html;q=0.9, application/json;q=0.8',
  'application/json; charset=utf-8',
  'text/html, */*;q=0.1',
  'text/html, */*',
  'application/json, text/html',
  'text/*, application/json;q=0.5',
  'APPLICATION/JSON',
  'application/vnd.openstack+json',
  'text/html;q=x',
  'text/plain, text/html',
];
const TYPES = [
  null,
  'application/json',
  'application/json; charset=utf-8',
  'APPLICATION/JSON',
  'text/plain',
  '',
  'nonsense',
  'application/json;',
  'application/x-json',
  'application/json, text/plain',
  'application/vnd.api+json',
];

async function mediaTypes(pair, host) {
  const read = [
    '/',
    '/resource_providers?name=x',
    `/resource_providers/${host}`,
    `/resource_providers/${MISSING}`,
    '/traits/NOPE',
    '/traits/HW_CPU_X86_AVX',
    '/allocation_candidates',
    '/usages',
    `/allocations/${MISSING}`,
    '/nowhere',
    '/reshaper',
    `/resource_providers/${host}/inventories`,
    `/resource_providers/${host}/inventories/VCPU`,
    '/resource_classes/VCPU',
    `/resource_providers/${host}/usages`,
    `/resource_providers/${host}/traits`,
    `/resource_providers/${host}/aggregates`,
  ];
  for (const accept of ACCEPTS) {
    for (const path of read) await pair.ask('GET', path, { headers: { accept }, about: `accept ${accept}` });
    await pair.ask('POST', '/resource_providers', { raw: '{', headers: { accept } });
    await pair.ask('PATCH', '/resource_providers', { headers: { accept } });
    await pair.ask('PUT', `/resource_providers/${host}/inventories`, { body: {}, headers: { accept } });
  }
  for (const type of TYPES) {
    for (const raw of ['{}', '', undefined, '[', '\u00ff']) {
      const headers = { 'content-type': type };
      await pair.ask('POST', '/resource_providers', { raw, headers, about: `type ${type}` });
      await pair.ask('PUT', `/resource_providers/${host}`, { raw, headers, about: `type ${type}` });
      await pair.ask('PUT', '/traits/CUSTOM_lower', { raw, headers, about: `type ${type}` });
      await pair.ask('GET', '/traits/NOPE', { raw, headers, about: `type ${type}` });
      await pair.ask('DELETE', '/traits/NOPE', { raw, headers, about: `type ${type}` });
      await pair.ask('GET', '/nowhere', { raw, headers, about: `type ${type}` });
      await pair.ask('POST', '/', { raw, headers, about: `type ${type}` });
    }
  }
}

const routes = (uuid) => [
  '/',
  '/resource_providers',
  `/resource_providers/${uuid}`,
  '/resource_classes',
  '/resource_classes/VCPU',
  '/traits',
  ...['inventories', 'inventories/VCPU', 'usages', 'aggregates', 'traits', 'allocations'].map(
    (rest) => `/resource_providers/${uuid}/${rest}`,
  ),
  '/traits/HW_CPU_X86_AVX',
  '/allocations',
  `/allocations/${uuid}`,
  '/usages',
  '/allocation_candidates',
  '/reshaper',
];

/** Every subset of the faults a request can have before its body is read. */
async function routesAndMethods(pair, host) {
  const faces = [{}, { 'x-auth-token': 'nobody', 'x-roles': 'member' }];
  const bodies = [
    { raw: undefined, headers: {} },
    { raw: '{}', headers: {} },
    { raw: '{}', headers: { 'content-type': 'text/plain' } },
    { raw: '{}', headers: { 'content-type': null } },
  ];
  for (const path of [...new Set([...routes(host), ...routes(MISSING)])]) {
    for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS']) {
      const isRisky = method === 'DELETE' && path === `/resource_providers/${host}`;
      for (const minor of [null, 4, 39]) {
        for (const face of faces) {
          if (isRisky && face === faces[0]) continue;
          for (const { raw, headers } of bodies) {
            for (const accept of ['application/json', 'image/png']) {
              await pair.ask(method, path, { minor, raw, headers: { ...face, ...headers, accept } });
            }
          }
        }
      }
    }
  }
}

async function pathsAndQueries(pair, host) {
  for (const path of [
    '',
    '/',
    '//',
    '///',
    '/?x=1',
    '?x=1',
    '/.',
    '/..',
    '/resource_providers/',
    '//resource_providers',
    '/nowhere/',
    '/Resource_Providers',
    '/resource_providers//',
    `/resource_providers/${host}/`,
    `/resource_providers/${host}//traits`,
    `/resource_providers/${host}/nowhere`,
    `/resource_providers/${host}/traits/X`,
    '/resource_providers/a/b/c/d/e',
    `/resource_providers/${host}?surprise=1`,
    `/resource_providers/%20`,
    '/resource_providers/%',
    '/resource_providers/%zz',
    '/resource_providers/%ff',
    '/resource_providers/%00',
    '/resource_providers/%2F',
    '/traits/%C3%A4',
    '/traits/A%0A',
    '/traits/%ff',
    '/traits/CUSTOM_%',
    '/allocations/%',
    `/allocation_candidates?resources=VCPU:1&in_tree=%20${host}`,
    '/resource%5Fproviders',
    '/resource_providers?name=%ff',
    '/resource_providers?name=%zz&uuid=x',
    '/resource_providers?name',
    '/resource_providers?&',
    '/resource_providers?=',
    '/resource_providers?name=a&&uuid=',
    '/resource_providers?name=a;uuid=b',
    '/resource_providers?NAME=a',
    '/resource_providers?name=a%00b',
    `/resource_providers?name=${'x'.repeat(201)}`,
    `/resource_providers?name=${'x'.repeat(4000)}`,
    '/resource_providers?resources=%20VCPU:1',
    '/resource_providers?resources=VCPU:99999999999999999999',
    '/resource_providers?resources=VCPU:1%20&name=x',
    '/resource_providers?resources=VCPU:%201&name=x',
    `/resource_providers?uuid=${host.toUpperCase()}`,
    `/resource_providers?uuid=${host.replaceAll('-', '')}`,
    `/resource_providers/${host.toUpperCase()}`,
    `/resource_providers?in_tree={${host}}`,
    `/resource_providers?uuid=urn:uuid:${host}`,
    '/traits?name=startswith:HW_GPIO',
    '/traits?name=in:HW_CPU_X86_AVX,%20HW_CPU_X86_SSE',
    '/traits?name=in',
    '/traits?associated=True&name=in:NOPE',
    `/resource_providers/${host}/usages?x=1`,
    '/resource_classes?x=1',
    '/resource_classes/VCPU?x=1',
    '/?limit=1',
    `/allocations/${host}?x=1`,
    `/allocations/${'x'.repeat(300)}`,
    '/allocations/%ff',
    '/usages?project_id=%ff',
    '/allocation_candidates?resources=VCPU:1&resources=%ff',
    '/allocation_candidates?%ff=1',
    '/allocation_candidates?resources',
  ]) {
    await pair.ask('GET', path);
    await pair.ask('GET', path, { minor: null });
    await pair.ask('DELETE', path.replace(`/resource_providers/${host}`, '/resource_providers/gone'));
  }
  for (const path of [
    '/resource_providers/',
    '/resource_providers//traits',
    `/resource_providers/${host}/inventories/`,
    '/resource_classes/',
    '/traits/',
    '/allocations/',
  ]) {
    for (const method of ['PUT', 'POST', 'PATCH', 'OPTIONS', 'PROPFIND']) await pair.ask(method, path);
  }
}
