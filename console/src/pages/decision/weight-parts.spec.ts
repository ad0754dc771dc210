import { pass } from './decision.fixture';
import { piecesOf, weightsOf } from './weight-parts';

const weigher = (name: string, scores: Readonly<Record<string, number>>) => ({
  name,
  hosts: Object.entries(scores).map(([host, score]) => ({
    host,
    node: host,
    raw: score,
    normalized: score,
    multiplier: 1,
    score,
  })),
});

const made = pass({
  ranking: [
    { host: 'a', node: 'a', weight: 2 },
    { host: 'b', node: 'b', weight: -1 },
  ],
  weighers: [
    weigher('Ram', { a: 1, b: 1 }),
    weigher('Io', { a: 0, b: -2 }),
    weigher('Pci', { a: 0, b: 0 }),
    weigher('Cpu', { a: 2, b: 0 }),
  ],
});

describe('the parts of a weight', () => {
  const weights = weightsOf(made);

  it('separates weighers that changed the order from those without effect', () => {
    expect([weights.effective, weights.ineffective]).toEqual([['Ram', 'Io', 'Cpu'], ['Pci']]);
  });

  it('puts all hosts on one scale, with what is taken away left of zero', () => {
    expect([weights.lowest, weights.highest]).toEqual([-2, 3]);
    const pieces = weights.hosts.map((host) =>
      piecesOf(host, weights).map(({ part, start, width }) => [part.weigher, start, width]),
    );
    expect(pieces).toEqual([
      [
        ['Ram', 40, 20],
        ['Cpu', 60, 40],
      ],
      [
        ['Ram', 40, 20],
        ['Io', 0, 40],
      ],
    ]);
  });

  it('draws nothing if every weight is nothing', () => {
    const flat = weightsOf(
      pass({ ranking: [{ host: 'a', node: 'a', weight: 0 }], weighers: [weigher('Ram', { a: 0 })] }),
    );
    expect(flat.hosts.map((host) => piecesOf(host, flat))).toEqual([[]]);
  });

  it('names a weigher that failed, though it gave nothing', () => {
    const [part] = weigher('Bad', { a: 0 }).hosts;
    if (part === undefined) throw new Error('the weigher has one host');
    const failed = { name: 'Bad', hosts: [{ ...part, error: 'no such metric' }] };
    expect(weightsOf(pass({ weighers: [failed] })).effective).toEqual(['Bad']);
  });
});
