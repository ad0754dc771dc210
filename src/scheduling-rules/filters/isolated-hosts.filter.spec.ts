import type { FilterRow } from '../pipeline/rule-table.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { isolatedHostsFilter } from './isolated-hosts.filter';

const image = (id: string | null) => ({ image: { id, name: null, diskFormat: null, properties: {} } });
const configured = (hosts: readonly string[], images: readonly string[], restrict = true) => ({
  filter_scheduler: {
    isolated_hosts: hosts,
    isolated_images: images,
    restrict_isolated_hosts_to_isolated_images: restrict,
  },
});
const rejected = (code: string, host: string, id: string, restricted = true) => ({
  code,
  params: {
    host,
    image: id,
    host_isolated: code === 'isolated_host',
    image_isolated: code === 'isolated_image',
    restricted,
  },
});

const ISOLATED = { host: 'iso' };
const OTHER = { host: 'other' };
const BOTH = configured(['iso'], ['img']);
const RELAXED = configured(['iso'], ['img'], false);

const rows: readonly FilterRow[] = [
  {
    rule: 'restricted: an isolated image runs on isolated hosts only',
    host: ISOLATED,
    spec: image('img'),
    options: BOTH,
    verdict: 'pass',
    flip: { host: OTHER, verdict: rejected('isolated_image', 'other', 'img') },
  },
  {
    rule: 'restricted: other images run on other hosts only',
    host: OTHER,
    spec: image('x'),
    options: BOTH,
    verdict: 'pass',
    flip: { host: ISOLATED, verdict: rejected('isolated_host', 'iso', 'x') },
  },
  {
    rule: 'relaxed: an isolated image still runs on isolated hosts only',
    host: ISOLATED,
    spec: image('img'),
    options: RELAXED,
    verdict: 'pass',
    flip: { host: OTHER, verdict: rejected('isolated_image', 'other', 'img', false) },
  },
  {
    rule: 'relaxed: other images run on isolated hosts too',
    host: ISOLATED,
    spec: image('x'),
    options: RELAXED,
    verdict: 'pass',
    flip: { options: BOTH, verdict: rejected('isolated_host', 'iso', 'x') },
  },
  {
    rule: 'relaxed: other images run on other hosts',
    host: OTHER,
    spec: image('x'),
    options: RELAXED,
    verdict: 'pass',
    flip: { spec: image('img'), verdict: rejected('isolated_image', 'other', 'img', false) },
  },
  {
    rule: 'restricted without images: isolated hosts run nothing, others everything',
    host: OTHER,
    spec: image('img'),
    options: configured(['iso'], []),
    verdict: 'pass',
    flip: { host: ISOLATED, verdict: rejected('isolated_host', 'iso', 'img') },
  },
  {
    rule: 'relaxed without images: isolated hosts run everything',
    host: ISOLATED,
    spec: image('img'),
    options: configured(['iso'], [], false),
    verdict: 'pass',
    flip: { options: configured(['iso'], []), verdict: rejected('isolated_host', 'iso', 'img') },
  },
  {
    rule: 'an image without id is not isolated',
    host: OTHER,
    spec: image(null),
    options: BOTH,
    verdict: 'pass',
    flip: { host: ISOLATED, verdict: rejected('isolated_host', 'iso', 'without an id') },
  },
  {
    rule: 'a request without an image is not isolated',
    host: OTHER,
    spec: { image: null },
    options: BOTH,
    verdict: 'pass',
    flip: { host: ISOLATED, verdict: rejected('isolated_host', 'iso', 'without an id') },
  },
  {
    rule: 'with nothing configured every host passes',
    host: ISOLATED,
    spec: image('img'),
    verdict: 'pass',
    flip: { options: configured([], ['img']), verdict: rejected('isolated_image', 'iso', 'img') },
  },
  {
    rule: 'host names are compared exactly',
    host: { host: 'ISO' },
    spec: image('x'),
    options: BOTH,
    verdict: 'pass',
    flip: { host: ISOLATED, verdict: rejected('isolated_host', 'iso', 'x') },
  },
];

describe('IsolatedHostsFilter', () => {
  filterTable(isolatedHostsFilter, {
    reproduces: {
      isolated_host: {
        rejects: (params) =>
          params['host_isolated'] === true && params['image_isolated'] === false && params['restricted'] === true,
        unless: rejected('isolated_host', 'iso', 'x', false).params,
      },
      isolated_image: {
        rejects: (params) => params['image_isolated'] === true && params['host_isolated'] === false,
        unless: { ...rejected('isolated_image', 'iso', 'x').params, host_isolated: true },
      },
    },
    rows,
  });

  it('runs once per request, and on rebuild checks', () => {
    expect([isolatedHostsFilter.once, isolatedHostsFilter.rebuild]).toEqual([true, true]);
  });
});
