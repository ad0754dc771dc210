// Every page, in light and dark: it shows what it is for, nothing goes wrong behind it, and nobody is kept out.
// UPDATE_SCREENSHOTS=1 takes their pictures for the documents.
import { join } from 'node:path';
import type { Visit } from './browser';
import { describeInBrowser } from './console-rig';
import { uuidOf } from './harbour';

const PICTURES = join(__dirname, '../../docs/console');
const takesPictures = process.env['UPDATE_SCREENSHOTS'] === '1';

interface Decisions {
  readonly windows: string;
  readonly nowhere: string;
}

interface ShownPage {
  readonly name: string;
  readonly path: (decisions: Decisions) => string;
  /** What must stand on it. */
  readonly shows: (visit: Visit) => Promise<void>;
}

const text = (words: string | RegExp) => (visit: Visit) => visit.page.getByText(words).first().waitFor();
const QUERY = encodeURIComponent('resources=VCPU:4,MEMORY_MB:8192&required=!COMPUTE_STATUS_DISABLED&limit=50');
const EMPTY_QUERY = encodeURIComponent(
  'resources=VCPU:4,MEMORY_MB:8192&required=CUSTOM_LICENSED_WINDOWS,HW_GPU_API_VULKAN',
);
const asRequest = (request: object): string => Buffer.from(JSON.stringify(request)).toString('base64url');
const REQUEST = asRequest({ flavor: 'cutter', num_instances: 2, project_id: 'pier-9', user_id: 'harbour-master' });

const PAGES: readonly ShownPage[] = [
  { name: 'overview', path: () => '/', shows: text('1 host stands in no availability zone') },
  {
    name: 'map',
    path: () => '/map?resource_class=MEMORY_MB',
    shows: (visit) => visit.page.locator('canvas').first().waitFor(),
  },
  { name: 'hosts', path: () => '/hosts', shows: text('barge-01') },
  { name: 'host', path: () => `/hosts/${uuidOf('titanic-01')}`, shows: text('titanic-01-numa0') },
  { name: 'traits', path: () => '/traits', shows: text('CUSTOM_LICENSED_WINDOWS') },
  { name: 'candidates', path: () => `/candidates?q=${QUERY}`, shows: text('tug-01') },
  { name: 'candidates-empty', path: () => `/candidates?q=${EMPTY_QUERY}`, shows: text('Nobody can serve this') },
  { name: 'decisions', path: () => '/decisions', shows: text('no valid host') },
  {
    name: 'decision',
    path: ({ windows }) => `/decisions/${windows}`,
    shows: text('AggregateImagePropertiesIsolation'),
  },
  {
    name: 'decision-refused',
    path: ({ nowhere }) => `/decisions/${nowhere}`,
    shows: text('lack only a place in zone harbour'),
  },
  { name: 'what-if', path: () => `/what-if?request=${REQUEST}`, shows: text('more fit') },
  { name: 'host-aggregates', path: () => '/registries/aggregates', shows: text('os_type missing') },
  { name: 'flavors', path: () => '/registries/flavors', shows: text('fast-crossing') },
  { name: 'services', path: () => '/registries/services', shows: text('waiting for new firmware') },
];

describeInBrowser('the console', (rig) => {
  describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
    it('has a door', async () => {
      const visit = await rig().browser.open('/', { scheme });
      await visit.page.getByRole('button', { name: 'Log in' }).waitFor();
      expect(await visit.findings()).toEqual([]);
      if (takesPictures) await visit.picture(join(PICTURES, `login-${scheme}.png`));
      await visit.leave();
    });

    it.each(PAGES.map((page) => [page.name, page] as const))('shows the page %s', async (name, { path, shows }) => {
      const visit = await rig().browser.enter(path(rig().decisions), { scheme });
      await visit.settled();
      await shows(visit);
      await visit.settled();
      if (takesPictures) await visit.picture(join(PICTURES, `${name}-${scheme}.png`));
      expect(await visit.findings()).toEqual([]);
      expect(visit.complaints).toEqual([]);
      await visit.leave();
    });
  });
});
