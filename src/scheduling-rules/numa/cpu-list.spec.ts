import { CPU_NUMBER_MAX, parseCpuList, parseCpuMask } from './cpu-list';

describe('a CPU list', () => {
  it.each<[string, readonly number[] | string]>([
    ['0', [0]],
    ['3,1', [1, 3]],
    ['0-3', [0, 1, 2, 3]],
    ['2-2', [2]],
    ['0-3,^1', [0, 2, 3]],
    ['^1,0-3', [0, 2, 3]],
    ['0-5,^1-2', [0, 3, 4, 5]],
    [' 0 - 1 , 4 ', [0, 1, 4]],
    ['1,1', [1]],
    ['^1', []],
    [`${CPU_NUMBER_MAX}`, [CPU_NUMBER_MAX]],
    [`${CPU_NUMBER_MAX + 1}`, `names '${CPU_NUMBER_MAX + 1}', which exceeds CPU ${CPU_NUMBER_MAX}`],
    ['3-2', "names the range '3-2', which runs backwards"],
    ['', "names '', which is no CPU and no range of CPUs"],
    ['0,', "names '', which is no CPU and no range of CPUs"],
    ['a', "names 'a', which is no CPU and no range of CPUs"],
    ['-1', "names '-1', which is no CPU and no range of CPUs"],
  ])('%j', (text, expected) => expect(parseCpuList(text)).toEqual(expected));
});

describe('a CPU mask', () => {
  it.each<[string, number, readonly number[] | string]>([
    ['0-1', 4, [0, 1]],
    ['^0-1', 4, [2, 3]],
    ['^0', 1, []],
    ['5', 4, [5]],
    ['0', 0, 'has no CPUs to choose from'],
  ])('%j over %i CPUs', (text, count, expected) => expect(parseCpuMask(text, count)).toEqual(expected));
});
