import type { HistoryReport } from '../../service/reports';
import { linesOf, seriesOf, timesOf } from './history-series';

const sample = (vcpu: number, memory: number): HistoryReport['samples'][number] => ({
  at: '2026-01-01T00:00:00Z',
  placed: 3,
  refused: 1,
  hosts: 1,
  hosts_usable: 1,
  instances: 1,
  resource_classes: {
    VCPU: { capacity: 100, used: vcpu, usable: 0, stranded: null },
    MEMORY_MB: { capacity: 100, used: memory, usable: 0, stranded: null },
  },
});

describe('the series of the history', () => {
  it('are the shares of the classes, the scarcest first', () => {
    expect(seriesOf([sample(10, 20), sample(30, 80)])).toEqual([
      { name: 'MEMORY_MB', values: [0.2, 0.8] },
      { name: 'VCPU', values: [0.1, 0.3] },
    ]);
    expect(seriesOf([])).toEqual([]);
  });

  it.each([
    [[0, 1], [0, 1], ['0.0,10.0 100.0,0.0']],
    [
      [0, undefined, 0.5, 2],
      [0, 0.1, 0.7, 1],
      ['0.0,10.0', '70.0,5.0 100.0,0.0'],
    ],
    [[0.5], [0], ['0.0,5.0']],
    [[], [], []],
  ])('draw %j at %j as %j', (values, times, lines) => {
    expect(linesOf(values, times, 100, 10)).toEqual(lines);
  });

  it('have their samples at their times', () => {
    const at = (hour: string) => ({ at: `2026-01-01T${hour}:00:00Z` });
    expect(timesOf([at('00'), at('01'), at('04')])).toEqual([0, 0.25, 1]);
    expect(timesOf([at('00')])).toEqual([0]);
  });
});
