import { GenerationConflict, InvalidRequest } from '@berth/client';
import { changeTrait } from './change-trait';

const conflict = new GenerationConflict('PUT /resource_providers/x/traits', {
  status: 409,
  detail: 'resource provider generation conflict',
});

/** A provider whose traits another client changes before each of the first writes. */
class Provider {
  generation = 7;
  readonly written: string[][] = [];

  constructor(
    public traits: string[],
    private readonly meddling: string[] = [],
  ) {}

  list = async () => ({ traits: [...this.traits], resource_provider_generation: this.generation });

  replace = async (_uuid: string, body: { resource_provider_generation: number; traits: string[] }) => {
    const meddled = this.meddling.shift();
    if (meddled !== undefined) {
      this.traits.push(meddled);
      this.generation += 1;
    }
    if (body.resource_provider_generation !== this.generation) throw conflict;
    this.traits = body.traits;
    this.generation += 1;
    this.written.push(body.traits);
    return body;
  };
}

const change = (provider: Provider, order: { trait: string; change: 'set' | 'unset' }) =>
  changeTrait(provider, { uuid: 'x', ...order });

describe('changing a trait of a provider', () => {
  it('adds it to those that are there', async () => {
    const provider = new Provider(['A']);
    expect(await change(provider, { trait: 'B', change: 'set' })).toBeInstanceOf(Function);
    expect(provider.traits).toEqual(['A', 'B']);
  });

  it('takes it from those that are there', async () => {
    const provider = new Provider(['A', 'B']);
    expect(await change(provider, { trait: 'A', change: 'unset' })).toBeInstanceOf(Function);
    expect(provider.traits).toEqual(['B']);
  });

  it.each([
    ['A', 'set'],
    ['B', 'unset'],
  ] as const)('writes nothing when it is so already: %s %s', async (trait, how) => {
    const provider = new Provider(['A']);
    expect(await change(provider, { trait, change: how })).toBeUndefined();
    expect(provider.written).toEqual([]);
  });

  it('keeps a concurrent change by another client', async () => {
    const provider = new Provider(['A'], ['THEIRS']);
    expect(await change(provider, { trait: 'B', change: 'set' })).toBeInstanceOf(Function);
    expect(provider.traits).toEqual(['A', 'THEIRS', 'B']);
  });

  it('gives up when it is overtaken twice', async () => {
    const provider = new Provider(['A'], ['ONE', 'TWO']);
    await expect(change(provider, { trait: 'B', change: 'set' })).rejects.toBe(conflict);
    expect(provider.traits).toEqual(['A', 'ONE', 'TWO']);
  });

  it('does not try again what was refused for another reason', async () => {
    const provider = new Provider(['A']);
    const refusal = new InvalidRequest('PUT', { status: 400, detail: 'no such trait' });
    let writes = 0;
    provider.replace = () => {
      writes += 1;
      return Promise.reject(refusal);
    };
    await expect(change(provider, { trait: 'B', change: 'set' })).rejects.toBe(refusal);
    expect(writes).toBe(1);
  });

  it('is reverted after claims, which raise the generation', async () => {
    const provider = new Provider(['A']);
    const undo = await change(provider, { trait: 'B', change: 'set' });
    provider.generation += 3;
    await undo?.();
    expect(provider.traits).toEqual(['A']);
  });

  it('is not reverted after another change of the traits', async () => {
    const provider = new Provider(['A']);
    const undo = await change(provider, { trait: 'B', change: 'set' });
    provider.traits = [...provider.traits, 'THEIRS'];
    await expect(undo?.()).rejects.toThrow('Another request changed its traits meanwhile.');
    expect(provider.traits).toEqual(['A', 'B', 'THEIRS']);
  });
});
