// What operators come for, from the question to the cure, by the links and buttons of the pages: a reload would log one out.
import { gzipSync } from 'node:zlib';
import { describeInBrowser } from './console-rig';
import { uuidOf } from './harbour';

const EMPTY_QUERY = encodeURIComponent(
  'resources=VCPU:4,MEMORY_MB:8192&required=CUSTOM_LICENSED_WINDOWS,HW_GPU_API_VULKAN',
);

describeInBrowser('journeys through the console', (rig) => {
  it('keeps within 350 kB of pressed script until the first view stands', async () => {
    const visit = await rig().browser.open('/');
    await visit.login();
    await visit.settled();
    const addresses = await visit.page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => new URL(name).pathname.endsWith('.js')),
    );
    const sizes = await Promise.all([...new Set(addresses)].map(pressedBytes));
    const bytes = sizes.reduce((sum, each) => sum + each, 0);
    // Less would mean that something was overlooked.
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(350_000);
    await visit.leave();
  });

  it('understands an empty answer, and mends it', async () => {
    const visit = await rig().browser.enter(`/candidates?q=${EMPTY_QUERY}`);
    const { page } = visit;
    await page.getByRole('heading', { name: 'Nobody can serve this' }).waitFor();
    await page.getByText('the providers with room lack traits').first().waitFor();
    await page.getByRole('button', { name: 'Without HW_GPU_API_VULKAN' }).click();
    await page.getByRole('heading', { name: '2 candidates' }).waitFor();
    await page.getByRole('article', { name: 'mary-celeste-01' }).waitFor();
    expect(decodeURIComponent(page.url())).not.toContain('HW_GPU_API_VULKAN');
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('follows a zone that is full to its hosts, and to what fits there', async () => {
    const visit = await rig().browser.enter('/');
    const { page } = visit;
    await page.getByRole('link', { name: /^100 % of memory: hosts of dock/i }).click();
    await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor();
    await page.getByRole('link', { name: 'barge-01' }).waitFor();
    expect(await page.getByRole('link', { name: /^tug-/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'barge-01' }).click();
    await page.getByRole('tab', { name: 'Flavors: 0 of 5 fit' }).click();
    await page
      .getByText(/MEMORY_MB/)
      .first()
      .waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('offers nothing to change to somebody who may only look', async () => {
    const olga = { name: 'olga' };
    const pages = [
      { path: '/registries/flavors', shows: 'fast-crossing', without: /New flavor/ },
      { path: '/registries/aggregates', shows: 'os_type missing', without: /New host aggregate/ },
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

  it('needs no mouse', async () => {
    const visit = await rig().browser.open('/');
    const { page } = visit;
    const { keyboard } = page;
    const goTo = async (typed: string): Promise<void> => {
      await keyboard.press('Control+k');
      await page.getByRole('textbox', { name: 'Go to' }).fill('');
      await keyboard.type(typed);
      // The first that is found is what Enter takes.
      await page.getByRole('dialog').locator('[data-selected]').getByText(typed).first().waitFor();
      await keyboard.press('Enter');
    };
    const isAt = (name: string | RegExp): Promise<void> => page.getByRole('heading', { level: 1, name }).waitFor();

    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await visit.tabTo('Name');
    await keyboard.press('Enter');
    await isAt('Overview');

    await goTo('ferry-06');
    await isAt('ferry-06');

    await goTo('Map');
    await isAt('Map');
    await page.getByRole('application').waitFor();
    await visit.tabTo(/^Map of \d+ hosts/);
    await keyboard.press('ArrowRight');
    await keyboard.press('Enter');
    await isAt('barge-02');

    await goTo('Hosts');
    await isAt('Hosts');
    await page.getByRole('link', { name: 'barge-01' }).waitFor();
    await visit.tabTo('barge-01');
    await keyboard.press('Enter');
    await isAt('barge-01');
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  // The last: it changes the cloud.
  it('finds out why Windows stands among Linux, and cures it', async () => {
    const { windows } = rig().decisions;
    const visit = await rig().browser.enter(`/decisions/${windows}`);
    const { page } = visit;
    const pages = page.getByRole('navigation', { name: 'Pages', exact: true });
    await page
      .getByText(/on tug-\d+\.$/)
      .first()
      .waitFor();
    await page
      .getByText(/have no key os_type/)
      .first()
      .waitFor();

    await pages.getByRole('link', { name: 'Registries' }).click();
    await page.getByText('os_type missing').first().waitFor();
    await page.getByRole('button', { name: 'linux', exact: true }).click();
    const drawer = page.getByRole('dialog', { name: 'Host aggregate linux' });
    await drawer.getByRole('button', { name: 'Add a key' }).click();
    await drawer.getByLabel('Metadata: key 1').fill('os_type');
    await drawer.getByLabel('Metadata: value of os_type').fill('linux');
    await drawer.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Host aggregate linux is saved').waitFor();
    await drawer.getByRole('button', { name: 'Close', exact: true }).click();

    await pages.getByRole('link', { name: 'Decisions' }).click();
    await page.getByRole('link', { name: new RegExp(uuidOf('instance/windows')) }).click();
    await page.getByText('Again with …').click();
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

/** With gzip, which every browser takes; with brotli it is less. */
async function pressedBytes(address: string): Promise<number> {
  const response = await fetch(address);
  return gzipSync(Buffer.from(await response.arrayBuffer())).length;
}
