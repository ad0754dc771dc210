import type { Schema } from '@berth/client';
import { reasonsOf } from './fixes';
import { readQuery } from './query-form';

type Params = Readonly<Record<string, unknown>>;

const short = (group: string, params: Params): Schema<'TreeRejection'> =>
  ({
    stage: 'room',
    code: 'not_enough_left',
    group,
    message: '',
    params: { resource_class: 'VGPU', capacity: 8, used: 0, min_unit: 1, max_unit: 8, step_size: 1, ...params },
  }) as unknown as Schema<'TreeRejection'>;

const fixesOf = (query: string, ...rejections: readonly Schema<'TreeRejection'>[]): readonly string[] =>
  reasonsOf({ by_code: { 'room.not_enough_left': rejections.length }, rejections }, readQuery(query).query).flatMap(
    ({ fixes }) => fixes.map(({ name }) => name),
  );

describe('less of a class, where a query asks for too much', () => {
  it.each<[string, Params, readonly string[]]>([
    ['is what is left', { used: 3 }, ['VGPU 5 instead of 6']],
    ['is not above max_unit', { used: 3, max_unit: 2 }, ['VGPU 2 instead of 6']],
    ['is a multiple of step_size', { used: 3, step_size: 3 }, ['VGPU 3 instead of 6']],
    ['is not below min_unit', { used: 3, min_unit: 6 }, []],
    ['is nothing where nothing is left', { used: 8 }, []],
  ])('%s', (_, params, expected) => expect(fixesOf('resources=VGPU:6', short('', params))).toEqual(expected));

  it('is of the group that was rejected', () =>
    expect(fixesOf('resources1=VGPU:6&resources2=VGPU:7', short('1', { used: 7 }), short('2', { used: 2 }))).toEqual([
      'VGPU 1 instead of 6',
      'VGPU 6 instead of 7',
    ]));
});
