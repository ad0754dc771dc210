// Documents of the registries, created, changed and deleted with the console's forms.
import type { Page } from 'playwright-core';
import type { Visit } from './browser';
import { describeInBrowser } from './console-rig';

/** Adds a key and a value to the last row of the form. */
async function addPair(page: Page, legend: string, key: string, value: string): Promise<void> {
  const rows = page.getByRole('textbox', { name: new RegExp(`^${legend}: key`) });
  const at = await rows.count();
  await page.getByRole('button', { name: 'Add a key' }).click();
  await rows.nth(at).fill(key);
  await page.getByRole('textbox', { name: `${legend}: value of ${key}` }).fill(value);
}

const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

/** Waits for the notice and closes it, so the next notice is a new one. */
async function saved({ page }: Visit, says: string): Promise<void> {
  const notice = page.getByRole('alert').filter({ hasText: says });
  await notice.waitFor();
  await notice.getByRole('button', { name: 'Close the notice' }).click();
  await notice.waitFor({ state: 'detached' });
}

/** Takes back what a notice says, and waits for the result. */
async function undo({ page }: Visit, says: string, result = `Undone: ${says}`): Promise<void> {
  await page.getByRole('alert').filter({ hasText: says }).getByRole('button', { name: 'Undo' }).click();
  await saved({ page } as Visit, result);
}

/** Deletes the open document, with the confirmation. */
async function remove({ page }: Visit, what: string): Promise<void> {
  await press(page, 'Remove…');
  await press(page, 'Remove it');
  await page.getByText(`Removed ${what}`).waitFor();
}

const openedBy = ({ page }: Visit): string => new URL(page.url()).searchParams.get('open') ?? '';

describeInBrowser('the registries in the console', (rig) => {
  it.each([
    { first: 'Candidates', form: 'Query', registry: 'Host aggregates', row: 'linux' },
    { first: 'What if', form: 'Request', registry: 'Flavors', row: 'dinghy' },
  ])('are available after $first, which requests the same $registry', async ({ first, form, registry, row }) => {
    const visit = await rig().browser.enter('/');
    const { page } = visit;
    const goTo = (name: string): Promise<void> =>
      page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link', { name, exact: true }).click();
    // The second time, the form has its data at once.
    for (let time = 0; time < 2; time += 1) {
      await goTo(first);
      await page.getByRole('region', { name: form, exact: true }).waitFor();
      await goTo('Configuration');
      await page.getByRole('tab', { name: registry, exact: true }).click();
      await page.getByRole('button', { name: row, exact: true }).waitFor();
    }
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('create, change and delete a flavor, and show an error at its field', async () => {
    const { flavors } = rig().client;
    const visit = await rig().browser.enter('/registries/flavors?open=new');
    const { page } = visit;
    await page.getByLabel('Name').fill('skiff');
    await addPair(page, 'Extra specs', 'trait:HW_CPU_X86_AVX2', 'perhaps');
    await press(page, 'Create');
    await page.getByText(/must be required or forbidden/).waitFor();
    await page.getByRole('textbox', { name: /value of trait:HW_CPU_X86_AVX2/ }).fill('required');
    await press(page, 'Create');
    await saved(visit, 'Flavor skiff is saved');
    await page.getByRole('dialog', { name: 'Flavor skiff' }).waitFor();
    const id = openedBy(visit);
    expect(await flavors.get(id)).toMatchObject({
      name: 'skiff',
      vcpus: 1,
      extra_specs: { 'trait:HW_CPU_X86_AVX2': 'required' },
    });
    await page.getByLabel('vCPU').fill('3');
    await page.getByRole('button', { name: 'Remove trait:HW_CPU_X86_AVX2' }).click();
    await addPair(page, 'Extra specs', 'hw:cpu_policy', 'dedicated');
    await press(page, 'Save');
    await saved(visit, 'Flavor skiff is saved');
    expect(await flavors.get(id)).toMatchObject({ vcpus: 3, extra_specs: { 'hw:cpu_policy': 'dedicated' } });
    await remove(visit, 'flavor skiff');
    await expect(flavors.get(id)).rejects.toMatchObject({ status: 404 });
    await undo(visit, 'Removed flavor skiff');
    expect(await flavors.get(id)).toMatchObject({ vcpus: 3, extra_specs: { 'hw:cpu_policy': 'dedicated' } });
    await flavors.delete(id);
    expect(visit.complaints.filter((text) => !text.includes('400'))).toEqual([]);
    await visit.leave();
  });

  it('create, change and delete an image', async () => {
    const { images } = rig().client;
    const visit = await rig().browser.enter('/registries/images?open=new');
    const { page } = visit;
    await page.getByLabel('Name').fill('lugger');
    await page.getByRole('combobox', { name: 'Disk format' }).click();
    await page.getByRole('option', { name: 'qcow2' }).click();
    await addPair(page, 'Properties', 'os_type', 'linux');
    await press(page, 'Create');
    await undo(visit, 'Image lugger is saved');
    await expect(images.get(openedBy(visit))).rejects.toMatchObject({ status: 404 });
    await images.put(openedBy(visit), { name: 'lugger', disk_format: 'qcow2', properties: { os_type: 'linux' } });
    await page.getByText('With the smallest flavor').waitFor();
    const uuid = openedBy(visit);
    await page.getByLabel('Name').fill('');
    await press(page, 'Save');
    await saved(visit, `Image ${uuid} is saved`);
    expect(await images.get(uuid)).toMatchObject({
      name: null,
      disk_format: 'qcow2',
      properties: { os_type: 'linux' },
    });
    await remove(visit, `image ${uuid}`);
    await expect(images.get(uuid)).rejects.toMatchObject({ status: 404 });
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('create a server group, change its policy while it has no members, and delete it', async () => {
    const { serverGroups } = rig().client;
    const visit = await rig().browser.enter('/registries/groups?open=new');
    const { page } = visit;
    const choose = async (policy: string): Promise<void> => {
      await page.getByRole('combobox', { name: 'Policy' }).click();
      await page.getByRole('option', { name: policy, exact: true }).click();
    };
    await page.getByLabel('Name').fill('convoy');
    await page.getByLabel('Members on one host, at most').fill('2');
    await press(page, 'Create');
    await saved(visit, 'Server group convoy is saved');
    const uuid = openedBy(visit);
    expect(await serverGroups.get(uuid)).toMatchObject({
      policy: 'anti-affinity',
      rules: { max_server_per_host: 2 },
    });
    await page.getByLabel('Project').fill('harbour');
    await choose('soft-affinity');
    await press(page, 'Save');
    await saved(visit, 'Server group convoy is saved');
    expect(await serverGroups.get(uuid)).toMatchObject({ policy: 'soft-affinity', rules: {}, project_id: 'harbour' });
    await page.getByLabel('Project').fill('dock');
    await choose('affinity');
    await press(page, 'Save');
    await undo(visit, 'Server group convoy is saved');
    expect(await serverGroups.get(uuid)).toMatchObject({ policy: 'soft-affinity', rules: {}, project_id: 'harbour' });
    await remove(visit, 'server group convoy');
    await expect(serverGroups.get(uuid)).rejects.toMatchObject({ status: 404 });
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('create a host aggregate, add a host, change its zone, and delete it', async () => {
    const { hostAggregates } = rig().client;
    const visit = await rig().browser.enter('/registries/aggregates?open=new');
    const { page } = visit;
    await page.getByLabel('Name').fill('roads');
    await addPair(page, 'Metadata', 'ssd', 'true');
    await press(page, 'Create');
    await saved(visit, 'Host aggregate roads is saved');
    const uuid = openedBy(visit);
    await page.getByRole('combobox', { name: 'Host to add' }).fill('lantern-01');
    await press(page, 'Add');
    await page.getByRole('table', { name: 'Hosts of roads' }).getByText('lantern-01').waitFor();
    await saved(visit, 'lantern-01 is added to roads');
    // An instance runs on it.
    await page.getByRole('button', { name: 'Remove lantern-01' }).click();
    const question = page.getByRole('dialog', { name: 'Remove lantern-01 from roads?' });
    await question.getByText(/instances? runs? on lantern-01/).waitFor();
    expect(await visit.findings()).toEqual([]);
    await question.getByRole('button', { name: 'Remove it' }).click();
    await page.getByText('No host is in it.').waitFor();
    await undo(visit, 'lantern-01 is removed from roads');
    await page.getByRole('button', { name: 'Remove lantern-01' }).click();
    await question.getByRole('button', { name: 'Remove it' }).click();
    await saved(visit, 'lantern-01 is removed from roads');
    await page.getByLabel('Availability zone').fill('open sea');
    await press(page, 'Save');
    await saved(visit, 'Host aggregate roads is saved');
    expect(await hostAggregates.get(uuid)).toMatchObject({
      availability_zone: 'open sea',
      metadata: { ssd: 'true', availability_zone: 'open sea' },
      hosts: [],
    });
    await remove(visit, 'host aggregate roads');
    await expect(hostAggregates.get(uuid)).rejects.toMatchObject({ status: 404 });
    expect(visit.complaints).toEqual([]);
    await visit.leave();
  });

  it('disable a service with the generation that was read, and enable it', async () => {
    const { services } = rig().client;
    const before = await services.get('ferry-02');
    const visit = await rig().browser.enter('/registries/services');
    const { page } = visit;
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Disable ferry-02' }).click();
    await page.getByLabel('Reason').fill('new rails');
    await press(page, 'Disable');
    expect((await sent).postDataJSON()).toEqual({
      status: 'disabled',
      disabled_reason: 'new rails',
      generation: before.generation,
    });
    await saved(visit, 'ferry-02 is disabled');
    await page.getByRole('button', { name: 'Enable ferry-02' }).click();
    await undo(visit, 'ferry-02 is enabled');
    const again = await services.get('ferry-02');
    expect(again).toMatchObject({
      status: 'disabled',
      disabled_reason: 'new rails',
      generation: before.generation + 3,
    });
    await page.getByRole('button', { name: 'Enable ferry-02' }).click();
    await page.getByRole('alert').filter({ hasText: 'ferry-02 is enabled' }).waitFor();
    await services.change('ferry-02', { status: 'disabled', disabled_reason: 'the night shift' });
    await undo(visit, 'ferry-02 is enabled', 'Not undone: ferry-02 is enabled');
    expect(await services.get('ferry-02')).toMatchObject({ disabled_reason: 'the night shift' });
    await services.change('ferry-02', { status: 'enabled' });
    expect(visit.complaints.filter((text) => !text.includes('409'))).toEqual([]);
    await visit.leave();
  });
});
