// Operators' tasks from the question to the remedy, by links and buttons of the pages: a reload would end the session.
import { gzipSync } from 'node:zlib';
import type { Visit } from './browser';
import type { ConsoleRig } from './console-rig';
import { describeInBrowser } from './console-rig';
import { uuidOf } from './harbour';

const EMPTY_QUERY = encodeURIComponent(
  'resources=VCPU:4,MEMORY_MB:8192&required=CUSTOM_LICENSED_WINDOWS,HW_GPU_API_VULKAN',
);

/** Uses the palette. `found`: the first result. */
async function goTo({ page }: Visit, typed: string, found = typed): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Go to' }).fill('');
  await page.keyboard.type(typed);
  // Enter selects the first result.
  await page.getByRole('dialog').locator('[data-selected]').getByText(found).first().waitFor();
  await page.keyboard.press('Enter');
}

const isAt = ({ page }: Visit, name: string | RegExp): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor();

/** The host of the Windows instance, from the client. */
async function hostOfWindows({ client, decisions }: ConsoleRig): Promise<string> {
  const { passes } = await client.scheduler.decisions.get(decisions.windows);
  return passes[0]?.selected?.host ?? '';
}

describeInBrowser('journeys through the console', (rig) => {
  it('loads at most 350 kB of compressed script for the first view', async () => {
    const visit = await rig().browser.open('/');
    await visit.login();
    await visit.settled();
    const addresses = await visit.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => new URL(name).pathname.endsWith('.js')),
    );
    const scripts = await Promise.all([...new Set(addresses)].map(textOf));
    // Development code that must not be served: React advertises its tools.
    expect(scripts.filter((text) => text.includes('React DevTools'))).toEqual([]);
    // With gzip, which every browser supports; brotli is smaller.
    const sizes = scripts.map((text) => gzipSync(text).length);
    const bytes = sizes.reduce((sum, each) => sum + each, 0);
    // A smaller size would mean that a script was missed.
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(350_000);
    await visit.leave();
  });

  it('explains an empty answer, and fixes it', async () => {
    const visit = await rig().browser.enter(`/candidates?q=${EMPTY_QUERY}`);
    const { page } = visit;
    await page.getByRole('heading', { name: 'No provider can serve this request' }).waitFor();
    await page.getByText(/1 has trait HW_GPU_API_VULKAN, none has both/).waitFor();
    await page.getByRole('button', { name: /^without trait HW_GPU_API_VULKAN/ }).click();
    await page.getByRole('heading', { name: '2 candidates' }).waitFor();
    await page.getByRole('article', { name: 'mary-celeste-01' }).waitFor();
    expect(decodeURIComponent(page.url())).not.toContain('HW_GPU_API_VULKAN');
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it.each([390, 1024, 1440, 1920])('shows the whole name of each stage at %i px', async (width) => {
    const visit = await rig().browser.enter(`/decisions/${rig().decisions.nowhere}`, { width });
    const stages = visit.page.getByRole('list', { name: 'Stages of the decision' });
    await stages.getByText('Provider trees').waitFor();
    // Text, because the compiler does not know the page's functions here.
    const cut = await visit.page.evaluate<
      readonly string[]
    >(`[...document.querySelectorAll('ol[aria-label="Stages of the decision"] *')]
      .filter((each) => each.scrollWidth > each.clientWidth && getComputedStyle(each).overflow === 'hidden')
      .map((each) => each.textContent)`);
    expect(cut).toEqual([]);
    await visit.leave();
  });

  it('follows a full zone to its hosts, and to the flavors that fit', async () => {
    const visit = await rig().browser.enter('/');
    const { page } = visit;
    await page.getByRole('link', { name: /^100 % of memory: hosts of dock/i }).click();
    await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor();
    await page.getByRole('link', { name: 'barge-01' }).waitFor();
    expect(await page.getByRole('link', { name: /^tug-/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'barge-01' }).click();
    await page.getByRole('tab', { name: 'Flavors: 0 of 6 fit' }).click();
    await page
      .getByText(/^lacks .* memory \(0 MiB free, /)
      .first()
      .waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('offers no changes to a read-only user', async () => {
    const olga = { name: 'olga' };
    const pages = [
      { path: '/registries/flavors', shows: 'fast-crossing', without: /New flavor/ },
      { path: '/registries/aggregates', shows: 'no os_type', without: /New host aggregate/ },
      { path: '/registries/services', shows: 'waiting for new firmware', without: /^(Disable|Enable)/ },
      { path: '/traits', shows: 'CUSTOM_LICENSED_WINDOWS', without: /Create custom trait/ },
      { path: `/hosts/${uuidOf('titanic-01')}`, shows: 'titanic-01-numa0', without: /Disable|Trait/ },
    ];
    for (const { path, shows, without } of pages) {
      const admin = await rig().browser.enter(path);
      await admin.page.getByText(shows).first().waitFor();
      await admin.page.getByRole('button', { name: without }).first().waitFor();
      await admin.leave();
      const visit = await rig().browser.enter(path, olga);
      await visit.page.getByText(shows).first().waitFor();
      await visit.settled();
      expect([path, await visit.page.getByRole('button', { name: without }).count()]).toEqual([path, 0]);
      expect([path, visit.complaints]).toEqual([path, []]);
      await visit.leave();
    }
  });

  it('works without a mouse', async () => {
    const visit = await rig().browser.open('/');
    const { page } = visit;
    const { keyboard } = page;
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(await page.getByLabel('Name').evaluate((field) => field.matches(':focus'))).toBe(true);
    await keyboard.press('Enter');
    await isAt(visit, 'Overview');

    await goTo(visit, 'ferry-06');
    await isAt(visit, 'ferry-06');

    await goTo(visit, 'Map');
    await isAt(visit, 'Map');
    await page.getByRole('application').waitFor();
    await visit.tabTo(/^Map of \d+ hosts/);
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await isAt(visit, 'barge-02');

    await goTo(visit, 'Hosts');
    await isAt(visit, 'Hosts');
    await page.getByRole('link', { name: 'barge-01' }).waitFor();
    await visit.tabTo('barge-01');
    await keyboard.press('Enter');
    await isAt(visit, 'barge-01');
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('goes to everything that has a name', async () => {
    const visit = await rig().browser.enter('/');
    const { page } = visit;
    await goTo(visit, 'pilot-1');
    await isAt(visit, /^Placed dinghy \(debian\) on /);
    await goTo(visit, 'galle', 'galleon');
    await isAt(visit, 'Map');
    await page
      .getByText(/has room for galleon/)
      .first()
      .waitFor();
    await goTo(visit, 'LICENSED', 'CUSTOM_LICENSED_WINDOWS');
    await isAt(visit, 'Hosts');
    await page.getByText(/^2 hosts match/).waitFor();
    await goTo(visit, 'linu', 'linux');
    await page.getByText(/^10 hosts match/).waitFor();
    await goTo(visit, 'Server gr', 'Server groups');
    await isAt(visit, 'Server groups');
    await goTo(visit, 'lightho', 'lighthouse');
    const group = page.getByRole('dialog', { name: 'Server group lighthouse' });
    await group
      .getByText(/^dinghy, pier-9, on /)
      .first()
      .waitFor();
    await group.getByRole('button', { name: 'Close' }).click();
    await goTo(visit, 'pier', 'pier-9');
    await isAt(visit, 'pier-9');
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('finds the largest consumers of a project, from who uses most to the host and back to the project', async () => {
    const visit = await rig().browser.enter('/');
    const { page } = visit;
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('link', { name: 'pier-9' }).click();
    await isAt(visit, 'pier-9');
    const first = page.getByRole('row').nth(1);
    await first.getByText('32 GiB').waitFor();
    await first.getByRole('link', { name: /^(titanic|barge)-/ }).click();
    await page
      .getByRole('link', { name: /^(titanic|barge)-/ })
      .first()
      .click();
    await page.getByRole('tab', { name: /^Consumers/ }).click();
    await page.getByText(/ pier-9: \d+ vCPU, \d+ GiB memory/).waitFor();
    await page.getByRole('link', { name: 'pier-9' }).first().click();
    await isAt(visit, 'pier-9');
    await page.getByRole('link', { name: 'Server groups' }).click();
    await page.getByText('lighthouse').first().waitFor();
    await page.goBack();
    await page.getByRole('link', { name: '30 instances' }).click();
    await isAt(visit, 'Instances');
    await page.getByText('28 instances').waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('offers hosts and instances for a part of their names, and shows their decisions', async () => {
    const visit = await rig().browser.enter('/decisions');
    const { page } = visit;
    const field = page.getByRole('combobox', { name: 'Host, instance or request' });
    await field.pressSequentially('ferry-0');
    await page.getByRole('option', { name: 'ferry-02' }).click();
    await page.waitForURL(/host=ferry-02/);
    await field.fill('pilot-');
    await page.getByRole('option', { name: 'pilot-1' }).click();
    await isAt(visit, /^Placed dinghy \(debian\) on /);
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('says how many a list of several pages has, and sorts all of them', async () => {
    const visit = await rig().browser.open('/instances');
    const { page } = visit;
    // The first page has five rows, and the next one does not come.
    await page.route(
      ({ pathname, searchParams }) => pathname === '/reports/instances' && searchParams.get('limit') === '200',
      async (route) => {
        if (route.request().url().includes('marker=')) return;
        const response = await route.fetch();
        const report = (await response.json()) as { instances: { uuid: string }[] };
        const instances = report.instances.slice(0, 5);
        await route.fulfill({ response, json: { ...report, instances, next_marker: instances.at(-1)?.uuid } });
      },
    );
    await visit.login();
    const { length } = (await rig().client.reports.instances.list({})).instances;
    await page.getByText(`5 of ${length} instances`, { exact: true }).waitFor();
    for (const first of [/^dock-1/, /^windows/]) {
      await page.getByRole('button', { name: 'Name', exact: true }).click();
      await page.getByRole('row').nth(1).filter({ hasText: first }).waitFor();
      await page.getByText(`${length} instances`, { exact: true }).waitFor();
    }
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('filters while the user types', async () => {
    const visit = await rig().browser.enter('/instances?sort=name');
    await visit.page
      .getByRole('row')
      .nth(1)
      .filter({ hasText: /^dock-1/ })
      .waitFor();
    await visit.page.getByLabel('Host', { exact: true }).fill('barge-01');
    await visit.page.getByText('1 instance', { exact: true }).waitFor();
    await visit.leave();
  });

  it('opens the map on the scarcest class that most hosts have', async () => {
    const visit = await rig().browser.open('/map');
    // All virtual GPUs are used, but one host has them.
    await visit.page.route('**/reports/capacity?group_by=total', async (route) => {
      const response = await route.fetch();
      const report = (await response.json()) as { groups: { resource_classes: Record<string, object> }[] };
      const [cloud] = report.groups;
      if (cloud !== undefined) cloud.resource_classes['VGPU'] = { ...cloud.resource_classes['VGPU'], used: 16 };
      await route.fulfill({ response, json: report });
    });
    await visit.login();
    await visit.page.getByText('28 of 28 hosts have MEMORY_MB').waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('says how many columns are out of sight, and shows them', async () => {
    const visit = await rig().browser.enter('/hosts', { width: 390 });
    const { page } = visit;
    const head = page.getByRole('columnheader', { name: 'Memory' });
    await page.getByRole('button', { name: '7 more columns to the right →' }).click();
    await page.getByRole('button', { name: '← Back to the first columns' }).waitFor();
    expect((await head.boundingBox())?.x).toBeLessThan(300);
    await page.getByRole('button', { name: '← Back to the first columns' }).click();
    await page.setViewportSize({ width: 1024, height: 900 });
    await page.getByRole('button', { name: '3 more columns to the right →' }).waitFor();
    await visit.leave();
  });

  it('requests candidates with the keyboard only', async () => {
    const visit = await rig().browser.enter('/');
    const { page } = visit;
    const { keyboard } = page;
    await goTo(visit, 'Candidates');
    await isAt(visit, 'Candidates');
    // Tab selects the content of a field, so typing replaces it.
    await visit.tabTo('Resource class 1');
    await keyboard.type('VGPU');
    await visit.tabTo('Amount of VGPU');
    await keyboard.type('3');
    await visit.tabTo('Resource class 2');
    await keyboard.type('CUSTOM_PCI_10DE_2235');
    await visit.tabTo('Amount of CUSTOM_PCI_10DE_2235');
    await keyboard.type('1');
    await visit.tabTo('Traits');
    await keyboard.type('HW_GPU_API_VULKAN');
    await keyboard.press('Enter');
    await visit.tabTo('Search');
    await keyboard.press('Enter');
    // The candidates alternate between the cards with virtual GPUs; the third card occurs once.
    await page.getByRole('heading', { name: '2 candidates' }).waitFor();
    await page.getByRole('article', { name: 'lantern-01' }).waitFor();
    const asked = decodeURIComponent(decodeURIComponent(page.url()));
    expect(asked).toContain('resources=VGPU:3,CUSTOM_PCI_10DE_2235:1');
    expect(asked).toContain('HW_GPU_API_VULKAN');
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it("performs operators' actions with the keyboard only", async () => {
    const visit = await rig().browser.enter('/');
    const { page } = visit;
    const { keyboard } = page;

    await page.getByText('1 provider has more memory').first().waitFor();
    await visit.tabTo(/^Error: 1 provider has more memory/);
    await keyboard.press('Enter');
    await page.getByText(/openstack resource provider inventory set --amend/).waitFor();
    await visit.tabTo('raft-01');
    await keyboard.press('Enter');
    await isAt(visit, 'raft-01');
    await visit.tabTo('Provider tree');
    await keyboard.press('ArrowRight');
    await page.getByRole('table', { name: 'Consumers of raft-01' }).waitFor();

    await goTo(visit, 'Hosts');
    await isAt(visit, 'Hosts');
    await visit.tabTo('Has room for flavor');
    await keyboard.type('lookout');
    await page.getByRole('option', { name: 'lookout' }).waitFor();
    await keyboard.press('Enter');
    await page.getByText('1 host matches').waitFor();
    await visit.tabTo('lantern-01');
    await keyboard.press('Enter');
    await isAt(visit, 'lantern-01');

    await goTo(visit, 'ferry-03');
    await isAt(visit, 'ferry-03');
    await visit.tabTo('Disable…');
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Disable ferry-03' }).waitFor();
    await visit.tabTo('Reason');
    await keyboard.type('new cables');
    await keyboard.press('Enter');
    await page.getByText('ferry-03 is disabled').waitFor();
    await page.getByText('new cables').first().waitFor();
    await visit.tabTo('Enable');
    await keyboard.press('Enter');
    await page.getByText('ferry-03 is enabled').waitFor();

    await goTo(visit, uuidOf('instance/windows'), 'Decision');
    await isAt(visit, /^Placed dinghy \(windows\) on tug-\d+$/);
    await visit.tabTo(/^Placement/);
    await keyboard.press('Enter');
    await page.getByText(/^GET \/allocation_candidates/).waitFor();
    await visit.tabTo('Why not this host');
    await keyboard.type('mary-celeste-01');
    await keyboard.press('Escape');
    await keyboard.press('Enter');
    await page.getByText(/It passed every filter and is number \d+ of 11 hosts/).waitFor();

    await goTo(visit, 'Configuration');
    await isAt(visit, 'Host aggregates');
    await visit.tabTo('New host aggregate');
    await keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: 'New host aggregate' });
    await drawer.waitFor();
    await visit.tabTo('Name');
    await keyboard.type('night-watch');
    await keyboard.press('Enter');
    await page.getByText('Host aggregate night-watch is saved').waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('plans the drain of a host from its page, follows the run and deletes the plan', async () => {
    const { plans } = rig().client.scheduler;
    const visit = await rig().browser.enter(`/hosts/${uuidOf('titanic-02')}`);
    const { page } = visit;
    await page.getByRole('link', { name: 'Plan a drain' }).click();
    await isAt(visit, 'New plan');
    expect(new URL(page.url()).search).toBe('?goal=drain&hosts=titanic-02');
    await page.getByLabel('Max moves').fill('1');
    await page.getByRole('button', { name: 'Make the plan' }).click();
    await isAt(visit, 'Drain titanic-02');
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    const { ask, sentence } = await plans.get(id);
    expect(ask).toMatchObject({ goal: 'drain', hosts: ['titanic-02'], max_moves: 1 });
    await page.getByText(sentence).waitFor();
    await page.getByText(`berth plan run ${id}`).waitFor();
    await page.getByRole('button', { name: 'Copy command' }).waitFor();
    await page.getByRole('table', { name: 'Cannot move' }).waitFor();
    const stage = page.getByRole('table', { name: 'Stage 1' });
    await stage.getByRole('link', { name: 'titanic-02' }).waitFor();

    await plans.report(id, '1', { state: 'failed', message: 'The disk is full.' });
    await stage.getByText('failed: The disk is full.').waitFor();

    await page.getByRole('button', { name: 'Remove…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove it' }).click();
    await isAt(visit, 'Plans');
    await page.getByRole('link', { name: sentence }).waitFor({ state: 'detached' });
    await expect(plans.get(id)).rejects.toMatchObject({ status: 404 });
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('shows what the service refuses of a plan at its field, without a mouse', async () => {
    const visit = await rig().browser.enter('/plans');
    const { page } = visit;
    const { keyboard } = page;
    await visit.tabTo('New plan');
    await keyboard.press('Enter');
    await isAt(visit, 'New plan');
    const hosts = page.getByRole('combobox', { name: 'Hosts', exact: true });
    const error = page.getByText(
      "is necessary for the goal 'drain': give hosts or host_aggregates or availability_zones.",
    );
    await visit.tabTo('Make the plan');
    await keyboard.press('Enter');
    await error.waitFor();
    expect(await hosts.getAttribute('aria-invalid')).toBe('true');
    for (const scheme of ['dark', 'light'] as const) {
      await visit.useScheme(scheme);
      expect(await visit.findings()).toEqual([]);
    }
    // Past the page with the same name.
    await visit.tabTo('Configuration');
    await visit.tabTo('Hosts');
    await keyboard.type('ferry-05');
    await page.getByRole('option', { name: 'ferry-05' }).waitFor();
    await keyboard.press('Enter');
    await error.waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('?hosts=ferry-05');
    await visit.tabTo('Make the plan');
    await keyboard.press('Enter');
    await isAt(visit, 'Drain ferry-05');
    await visit.leave();
  });

  it('guides a first visit, which can be left and started again', async () => {
    const visit = await rig().browser.enter('/', { isFirst: true });
    const { page } = visit;
    const guide = page.getByRole('region', { name: 'First visit' });
    await guide.getByText('Step 1 of 5').waitFor();
    expect(await visit.findings()).toEqual([]);
    for (const [step, title] of ['Map', 'Hosts', 'Decisions', 'What if'].entries()) {
      await guide.getByRole('button', { name: 'Next' }).click();
      await isAt(visit, title);
      await guide.getByText(`Step ${step + 2} of 5`).waitFor();
    }
    await guide.getByRole('button', { name: 'Done' }).click();
    await guide.waitFor({ state: 'detached' });
    await page.reload();
    await isAt(visit, 'What if');
    expect(await guide.count()).toBe(0);
    await page.getByRole('button', { name: 'Logged in as admin' }).click();
    await page.getByRole('menuitem', { name: 'Show me around' }).click();
    await guide.getByRole('button', { name: 'Leave', exact: true }).click();
    await guide.waitFor({ state: 'detached' });
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('disables ticked hosts with a reason, after a preview', async () => {
    const visit = await rig().browser.enter('/hosts?name=ferry');
    const { page } = visit;
    for (const host of ['ferry-01', 'ferry-02']) await page.getByRole('checkbox', { name: `Select ${host}` }).check();
    const bar = page.getByRole('region', { name: 'Selected hosts' });
    await bar.getByText('2 hosts selected').waitFor();
    await bar.getByRole('button', { name: 'Disable…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Disable hosts' });
    await dialog.getByLabel('Reason').fill('new rails');
    await dialog.getByText('2 hosts will change').waitFor();
    await dialog.getByRole('button', { name: 'Change 2 hosts' }).click();
    await dialog.getByText('2 of 2 hosts tried, 2 changed').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await bar.getByRole('button', { name: 'Enable…' }).click();
    const enabling = page.getByRole('dialog', { name: 'Enable hosts' });
    await enabling.getByRole('button', { name: /^Change/ }).click();
    await enabling.getByText(/ tried, /).waitFor();
    await page.keyboard.press('Escape');
    await bar.getByRole('button', { name: 'Clear the selection' }).click();
    for (const host of ['ferry-01', 'ferry-02']) await rig().client.services.change(host, { status: 'enabled' });
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('creates a trait for ticked hosts, says what it changed, and removes it again', async () => {
    const visit = await rig().browser.enter('/hosts?name=ferry');
    const { page } = visit;
    await page.getByRole('checkbox', { name: 'Select all hosts that match' }).click();
    const bar = page.getByRole('region', { name: 'Selected hosts' });
    await bar.getByRole('button', { name: 'Set a trait…' }).click();
    const setting = page.getByRole('dialog', { name: 'Set a trait on hosts' });
    await setting.getByRole('combobox', { name: 'Trait' }).fill('night watch');
    await page.getByRole('option', { name: 'Create CUSTOM_NIGHT_WATCH' }).click();
    await setting.getByRole('button', { name: 'Change 6 hosts' }).click();
    await setting.getByText('Done: 6 of 6 hosts tried, 6 changed').waitFor();
    await setting.getByText('ferry-01, ferry-02, ferry-03, ferry-04, ferry-05, ferry-06').waitFor();
    expect(await visit.findings()).toEqual([]);
    await setting.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('alert').filter({ hasText: 'CUSTOM_NIGHT_WATCH is created' }).waitFor();
    const notice = page.getByRole('alert').filter({ hasText: /^6 hosts changed/ });
    await notice.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone: 6 hosts changed').waitFor();
    const required = ['CUSTOM_NIGHT_WATCH'];
    expect((await rig().client.providers.list({ required })).resource_providers).toEqual([]);
    await bar.getByRole('button', { name: 'Set a trait…' }).click();
    await setting.getByRole('combobox', { name: 'Trait' }).fill('NIGHT');
    await page.getByRole('option', { name: 'CUSTOM_NIGHT_WATCH' }).click();
    await setting.getByRole('button', { name: 'Change 6 hosts' }).click();
    await setting.getByRole('button', { name: 'Done' }).click();
    await bar.getByRole('button', { name: 'Remove a trait…' }).click();
    const removing = page.getByRole('dialog', { name: 'Remove a trait from hosts' });
    await removing.getByRole('combobox', { name: 'Trait' }).fill('NIGHT');
    await page.getByRole('option', { name: 'CUSTOM_NIGHT_WATCH' }).click();
    await removing.getByRole('button', { name: 'Change 6 hosts' }).click();
    await removing.getByText('Done: 6 of 6 hosts tried, 6 changed').waitFor();
    await rig().client.traits.delete('CUSTOM_NIGHT_WATCH');
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('leaves the trait of a disabled host to its service', async () => {
    const visit = await rig().browser.enter(`/hosts/${uuidOf('tug-10')}`);
    const { page } = visit;
    await page.getByText('COMPUTE_STATUS_DISABLED is set by the compute service.').waitFor();
    await page.getByRole('group', { name: 'Traits of tug-10' }).getByText('COMPUTE_STATUS_DISABLED').waitFor();
    expect(await page.getByRole('button', { name: 'Unset COMPUTE_STATUS_DISABLED' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Enable' }).count()).toBe(2);
    expect(await visit.findings()).toEqual([]);
    await visit.leave();
  });

  // The last test, because it changes the cloud.
  it('finds out why Windows runs among Linux, and fixes it', async () => {
    const host = await hostOfWindows(rig());
    expect(host).toMatch(/^tug-/);
    const visit = await rig().browser.enter('/');
    const { page } = visit;
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true });

    // The page shows the host of the instance.
    await pages.getByRole('link', { name: 'Hosts' }).click();
    await page.getByLabel('Name contains').fill(host);
    await page.getByText('1 host matches').waitFor();
    await page.getByRole('link', { name: host, exact: true }).click();
    await isAt(visit, host);
    await page.getByRole('tab', { name: /^Consumers/ }).click();
    await page.getByRole('row', { name: /dinghy windows pier-9/ }).waitFor();
    await page.getByText(/is the scarcest here\. To make room, move first: /).waitFor();
    await page.getByRole('link', { name: 'why here: windows' }).click();
    await isAt(visit, `Placed dinghy (windows) on ${host}`);
    await page
      .getByText(/the host aggregates harbour, linux have no key os_type/)
      .first()
      .waitFor();

    await page.getByRole('link', { name: 'Show the host aggregates' }).click();
    await isAt(visit, 'Host aggregates');
    await page.getByText(/hosts are in no host aggregate with the key os_type/).waitFor();
    await page.getByText('no os_type').first().waitFor();
    await page.getByRole('button', { name: 'linux', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: 'Host aggregate linux' });
    await drawer.getByRole('button', { name: 'Add a key' }).click();
    await drawer.getByLabel('Metadata: key 1').fill('os_type');
    await drawer.getByLabel('Metadata: value of os_type').fill('linux');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Host aggregate linux is saved').waitFor();
    await drawer.getByRole('button', { name: 'Close', exact: true }).click();
    // Until the drawer is closed, it returns the focus to its opener.
    await drawer.waitFor({ state: 'hidden' });

    // The uuid of the instance suffices.
    await goTo(visit, uuidOf('instance/windows'), 'Decision');
    await isAt(visit, `Placed dinghy (windows) on ${host}`);
    await page.getByText('Change and retry').click();
    await page.getByRole('heading', { level: 1, name: 'What if' }).waitFor();
    await page.getByText(/Would go to/).waitFor();
    await page
      .getByRole('link', { name: /^mary-celeste-0/ })
      .first()
      .waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });
});

const textOf = async (address: string): Promise<string> => (await fetch(address)).text();
