// Every page in light and dark mode: it shows its content, causes no errors, and is accessible. UPDATE_SCREENSHOTS=1
// writes the screenshots that docs/console.md shows.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Visit } from './browser';
import { describeInBrowser } from './console-rig';
import type { HarbourDecisions } from './harbour';
import { uuidOf } from './harbour';

const DOCS = join(__dirname, '../../docs');
const takesPictures = process.env['UPDATE_SCREENSHOTS'] === '1';
const shown = takesPictures ? readFileSync(join(DOCS, 'console.md'), 'utf8') : '';

interface ShownPage {
  readonly name: string;
  readonly path: (decisions: HarbourDecisions) => string;
  /** The content that must be visible. */
  readonly shows: (visit: Visit) => Promise<void>;
}

const text = (words: string | RegExp) => (visit: Visit) => visit.page.getByText(words).first().waitFor();
const link = (name: string | RegExp) => (visit: Visit) => visit.page.getByRole('link', { name }).first().waitFor();
const all =
  (...shown: readonly ((visit: Visit) => Promise<void>)[]) =>
  async (visit: Visit) => {
    for (const each of shown) await each(visit);
  };
/** A table row with these words in order. */
const row = (words: RegExp) => (visit: Visit) => visit.page.getByRole('row', { name: words }).first().waitFor();
const QUERY = encodeURIComponent('resources=VCPU:4,MEMORY_MB:8192&required=!COMPUTE_STATUS_DISABLED&limit=50');
const EMPTY_QUERY = encodeURIComponent(
  'resources=VCPU:4,MEMORY_MB:8192&required=CUSTOM_LICENSED_WINDOWS,HW_GPU_API_VULKAN',
);
const asRequest = (request: object): string => Buffer.from(JSON.stringify(request)).toString('base64url');
const REQUEST = asRequest({ flavor: 'cutter', num_instances: 2, project_id: 'pier-9', user_id: 'harbour-master' });

const PAGES: readonly ShownPage[] = [
  {
    name: 'overview',
    path: () => '/',
    shows: all(
      text('1 host is in no availability zone'),
      text('1 provider has more memory allocated than capacity, by 4 GiB in all'),
      link('1 down (no report)'),
      text(/^Memory: full in \d+ to \d+ days$/),
    ),
  },
  {
    name: 'map',
    path: () => '/map?resource_class=MEMORY_MB',
    shows: all(text('28 of 28 hosts have MEMORY_MB, over-full on 1'), (visit) =>
      visit.page.locator('canvas').first().waitFor(),
    ),
  },
  {
    name: 'map-status',
    path: () => '/map?by=status',
    shows: all(text('25 up, 1 disabled, 1 forced down, 1 down (no report), 1 shared pool'), (visit) =>
      visit.page.locator('canvas').first().waitFor(),
    ),
  },
  {
    name: 'map-flavor',
    path: () => '/map?flavor=schooner',
    shows: all(text('lacks MEMORY_MB'), link('Why?'), (visit) => visit.page.locator('canvas').first().waitFor()),
  },
  {
    name: 'map-stranded',
    path: () => '/map?stranded=VCPU',
    shows: all(text(/of their VCPU stranded/), (visit) => visit.page.locator('canvas').first().waitFor()),
  },
  {
    name: 'hosts-stranded',
    path: () => '/hosts?stranded=VCPU&sort=-stranded:VCPU',
    shows: row(/up .* vCPU/),
  },
  {
    name: 'hosts',
    path: () => '/hosts?sort=-use:MEMORY_MB',
    shows: all(row(/raft-01 up lagoon .* over .* 2/), row(/barge-01 up dock .* 100 %/)),
  },
  { name: 'host', path: () => `/hosts/${uuidOf('titanic-01')}`, shows: text('titanic-01-numa0') },
  {
    name: 'host-gpus',
    path: () => `/hosts/${uuidOf('lantern-01')}`,
    shows: all(
      text('The whole tree, 4 providers'),
      text('lantern-01_0000:81:00.0'),
      text('2 of 16 used'),
      text('CUSTOM_GPU_A40'),
    ),
  },
  {
    name: 'host-over-full',
    path: () => `/hosts/${uuidOf('raft-01')}`,
    shows: all(text('over-full by 4 GiB'), text('2 instances'), text('Consumers 2')),
  },
  {
    name: 'host-consumers',
    path: () => `/hosts/${uuidOf('raft-01')}?tab=consumers`,
    shows: text('pier-9: 4 vCPU, 16 GiB memory, 80 GiB disk'),
  },
  {
    name: 'host-silent',
    path: () => `/hosts/${uuidOf('flying-dutchman')}`,
    shows: all(text('down 3 h'), text('3 h ago'), text('Flavors: 0 of 6 fit')),
  },
  {
    name: 'instances',
    path: () => '/instances',
    shows: all(row(/^pilot-1 .* Why here: pilot-1 dinghy pier-9/), link('Why here: pilot-1')),
  },
  {
    name: 'projects',
    path: () => '/projects',
    shows: all(row(/^pier-9 30 142, 7 % 452 GiB, 23 %/), link('pier-9')),
  },
  {
    name: 'project',
    path: () => '/projects/pier-9',
    shows: all(row(/^lagoon-\d schooner titanic-0\d 8 32 GiB .* why here/), link('30 instances')),
  },
  { name: 'traits', path: () => '/traits', shows: text('CUSTOM_LICENSED_WINDOWS') },
  { name: 'candidates', path: () => `/candidates?q=${QUERY}`, shows: text('tug-01') },
  {
    name: 'candidates-empty',
    path: () => `/candidates?q=${EMPTY_QUERY}`,
    shows: text('No provider can serve this request'),
  },
  {
    name: 'since',
    path: () => '/since',
    shows: all(
      row(/tug-02: status enabled → disabled: the fan /),
      row(/quay-01, quay-02, quay-03, quay-04, quay-05, 7 changes: trait CUSTOM_LICENSED_WINDOWS added$/),
      link(/^2 refusals of schooner: 0 of 28 hosts fit/),
    ),
  },
  {
    name: 'decisions',
    path: () => '/decisions',
    shows: all(text('no valid host'), row(/^placed windows dinghy → tug-\d+ pier-9/)),
  },
  {
    name: 'decision',
    path: ({ windows }) => `/decisions/${windows}`,
    shows: all(
      text(/^Placed dinghy \(windows\) on tug-\d+$/),
      text('AggregateImagePropertiesIsolation'),
      text('in harbour'),
    ),
  },
  {
    name: 'decision-refused',
    path: ({ nowhere }) => `/decisions/${nowhere}`,
    shows: all(text('are only outside of zone harbour'), text(/^outside of host aggregate harbour/)),
  },
  { name: 'what-if', path: () => `/what-if?request=${REQUEST}`, shows: text('more fit') },
  {
    name: 'plans',
    path: () => '/plans',
    shows: all(row(/^\d of \d instances of titanic-01, raft-01, barge-01 .* 1 of \d moves no$/), link('New plan')),
  },
  {
    name: 'plan',
    path: ({ plan }) => `/plans/${plan}`,
    shows: all(
      text(/^\d of \d instances of titanic-01, raft-01, barge-01 can leave: /),
      text(/^Used hosts \d+ → \d+; /),
      text(/^berth plan run [\da-f-]{36}$/),
      row(/^dock-1 barge-01 0 of \d+ hosts fit: .* outside of host aggregate dock: \d+ hosts$/),
      row(/^1 .* done$/),
      row(/^2 .* failed: No valid host was found\.$/),
      text(/^2 moves are of instances without a recorded request/),
    ),
  },
  {
    name: 'plan-new',
    path: () => '/plans/new?goal=balance&resource_classes=MEMORY_MB&stay.projects=pier-9',
    shows: all(text('MEMORY_MB'), text('Stay: projects'), (visit) =>
      visit.page.getByRole('button', { name: 'Make the plan' }).waitFor(),
    ),
  },
  { name: 'host-aggregates', path: () => '/registries/aggregates', shows: text('no os_type') },
  { name: 'flavors', path: () => '/registries/flavors', shows: text('fast-crossing') },
  { name: 'services', path: () => '/registries/services', shows: text('waiting for new firmware') },
];

/** Elements wider than the window, and the horizontal scroll distance. */
const SIDEWAYS = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

describeInBrowser('the console', (rig) => {
  describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
    it('has a login page', async () => {
      const visit = await rig().browser.open('/', { scheme });
      await visit.page.getByRole('button', { name: 'Log in' }).waitFor();
      expect(await visit.findings()).toEqual([]);
      await visit.leave();
    });
  });

  // One visit for all pages: a login and a new window take a second of CPU.
  describe('as a page', () => {
    let visit: Visit;
    beforeAll(async () => {
      visit = await rig().browser.enter('/');
    });
    afterAll(() => visit.leave());

    it.each(PAGES.map((page) => [page.name, page] as const))(
      'shows %s in light and dark, and on a phone',
      async (name, { path, shows }) => {
        await visit.useScheme('light');
        await visit.goTo(path(rig().decisions));
        for (const scheme of ['light', 'dark'] as const) {
          await visit.useScheme(scheme);
          await visit.settled();
          await shows(visit);
          await visit.settled();
          const picture = `console/${name}-${scheme}.png`;
          if (shown.includes(`(${picture})`)) await visit.picture(join(DOCS, picture));
          expect([scheme, await visit.findings()]).toEqual([scheme, []]);
        }
        const width = 390;
        await visit.page.setViewportSize({ width, height: 900 });
        await visit.settled();
        await shows(visit);
        expect(await visit.page.evaluate<number>(SIDEWAYS)).toBe(0);
        const person = await visit.page.getByRole('button', { name: 'Logged in as admin' }).boundingBox();
        expect((person?.x ?? width) + (person?.width ?? width)).toBeLessThanOrEqual(width);
        expect(visit.complaints).toEqual([]);
      },
    );
  });

  it('gives the bars of a funnel their own line on narrow screens', async () => {
    const visit = await rig().browser.enter(`/decisions/${rig().decisions.nowhere}`, { width: 390 });
    const stage = visit.page.getByRole('list', { name: 'Stages of the decision' }).getByText('Provider trees');
    const bar = visit.page.getByRole('list', { name: 'Stages of the decision' }).locator('[aria-hidden] > div').first();
    const [name, drawn] = [await stage.boundingBox(), await bar.boundingBox()];
    expect(drawn?.y ?? 0).toBeGreaterThan(name?.y ?? Infinity);
    expect(drawn?.width).toBeGreaterThan(200);
    await visit.leave();
  });

  it('polls a result that is still being computed', async () => {
    const visit = await rig().browser.open('/');
    let asked = 0;
    await visit.page.route('**/reports/capacity?group_by=total', async (route) => {
      asked += 1;
      const response = await route.fetch();
      const report = (await response.json()) as object;
      const stranded = { state: 'computing', at: null, age_s: null, flavors: 0 };
      await route.fulfill({ response, json: asked === 1 ? { ...report, stranded } : report });
    });
    await visit.login();
    const waited = visit.page.getByText('Stranded: being worked out');
    await waited.waitFor();
    await waited.waitFor({ state: 'detached' });
    expect(asked).toBe(2);
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('shows the zones on the overview without scrolling', async () => {
    const visit = await rig().browser.enter('/');
    for (const zone of ['dock', 'harbour', 'lagoon']) {
      const box = await visit.page.getByRole('rowheader', { name: zone }).boundingBox();
      expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(900);
    }
    await visit.leave();
  });
});
