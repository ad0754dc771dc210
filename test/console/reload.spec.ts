// A page that stays open: it survives reloads, network gaps and upgrades of the service.
import { describeInBrowser } from './console-rig';

const WITH_OTHER_BUILD = '**/console/config.json';

describeInBrowser('a console that stays open', (rig) => {
  it('keeps the login over a reload, until the logout', async () => {
    const visit = await rig().browser.enter('/hosts');
    const { page } = visit;
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor();
    await page.getByRole('button', { name: 'Logged in as admin' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('tries a page that did not load again, without a reload', async () => {
    const visit = await rig().browser.enter('/hosts');
    const { page } = visit;
    await visit.settled();
    let isCut = true;
    let refused = 0;
    await page.route('**/assets/map-page*', async (route) => {
      if (!isCut) return route.continue();
      refused += 1;
      return route.abort('connectionfailed');
    });
    await page.getByRole('link', { name: 'Map' }).click();
    await page.getByRole('heading', { name: 'This page did not load' }).waitFor();
    expect(refused).toBeGreaterThanOrEqual(2);
    isCut = false;
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'Map' }).waitFor();
    await visit.leave();
  });

  it('needs no help when the second try succeeds', async () => {
    const visit = await rig().browser.enter('/hosts');
    const { page } = visit;
    await visit.settled();
    await page.route('**/assets/map-page*', (route) => route.abort('connectionfailed'), { times: 1 });
    await page.getByRole('link', { name: 'Map' }).click();
    await page.getByRole('heading', { level: 1, name: 'Map' }).waitFor();
    await visit.leave();
  });

  it('reloads once for a new build, and then offers a reload', async () => {
    const visit = await rig().browser.enter('/hosts');
    const { page } = visit;
    await visit.settled();
    let loads = 0;
    page.on('load', () => (loads += 1));
    await page.route(WITH_OTHER_BUILD, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), build: 'other' } });
    });
    await page.route('**/assets/map-page*', (route) => route.abort('connectionfailed'));
    await page.getByRole('link', { name: 'Map' }).click();
    // The reloaded page still is the old build, because an old process served it.
    await page.getByText('Berth was updated').first().waitFor();
    expect(loads).toBe(1);
    await page.getByRole('link', { name: 'Hosts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor();
    expect(loads).toBe(1);
    await visit.leave();
  });

  it('does not reload over a form', async () => {
    const visit = await rig().browser.enter('/registries/aggregates');
    const { page } = visit;
    await page.getByRole('button', { name: 'New host aggregate' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('half-typed');
    let loads = 0;
    page.on('load', () => (loads += 1));
    await page.route(WITH_OTHER_BUILD, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...((await response.json()) as object), build: 'other' } });
    });
    // The browser reports a network change, so the page asks for the build.
    await page.evaluate("window.dispatchEvent(new Event('offline'));window.dispatchEvent(new Event('online'))");
    await page.getByText('Berth was updated').first().waitFor({ state: 'attached' });
    expect(loads).toBe(0);
    expect(await page.getByRole('dialog').getByLabel('Name').inputValue()).toBe('half-typed');
    await visit.leave();
  });
});
