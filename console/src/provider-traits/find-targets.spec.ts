import { findByNames, NAMES_MAX } from './find-targets';

const ID = '2f1d4a4c-9f4e-4d0c-8b8e-0d9a4f6a1b11';
const cloud = [
  { uuid: ID, name: 'cn1' },
  { uuid: 'u2', name: 'cn2' },
  { uuid: 'u3', name: 'cn3' },
];
const list = (({ name, uuid }: { name?: string; uuid?: string }) =>
  Promise.resolve({
    resource_providers: cloud.filter((provider) => provider.name === name || provider.uuid === uuid),
  })) as never;

describe('looking up who is meant', () => {
  it('takes names and uuids, and says which there are none of', async () => {
    expect(await findByNames(list, `cn3 nobody ${ID}\ncn2`)).toEqual({
      targets: [
        { uuid: 'u3', name: 'cn3' },
        { uuid: ID, name: 'cn1' },
        { uuid: 'u2', name: 'cn2' },
      ],
      cannot: [{ name: 'nobody', reason: 'There is no resource provider of this name.' }],
    });
  });

  it('stops at the maximum, and reports the further names', async () => {
    const pasted = Array.from({ length: NAMES_MAX + 2 }, (_, at) => `x${at}`).join(' ');
    const { cannot } = await findByNames(list, pasted);
    expect(cannot.filter(({ reason }) => reason.startsWith('Beyond')).map(({ name }) => name)).toEqual([
      `x${NAMES_MAX}`,
      `x${NAMES_MAX + 1}`,
    ]);
  });

  it('passes on what the service says against it', async () => {
    const refusal = new Error('no');
    await expect(findByNames(() => Promise.reject(refusal), 'cn1')).rejects.toBe(refusal);
  });
});
