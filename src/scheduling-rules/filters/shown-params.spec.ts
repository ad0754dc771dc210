import { PARAM_ITEMS_SHOWN, PARAM_TEXT_SHOWN } from '../pipeline/limits';
import { shownList, shownText } from './shown-params';

const items = (count: number): string[] => Array.from({ length: count }, (_, at) => `i${at}`);

describe('params of a verdict', () => {
  it('show a list in full up to the limit, and count the omitted entries', () => {
    expect(shownList(items(PARAM_ITEMS_SHOWN))).toEqual(items(PARAM_ITEMS_SHOWN));
    expect(shownList(items(PARAM_ITEMS_SHOWN + 2))).toEqual([...items(PARAM_ITEMS_SHOWN), '2 more']);
  });

  it('show a text in full up to the limit, and mark a longer one as cut', () => {
    const full = 'x'.repeat(PARAM_TEXT_SHOWN);
    expect(shownText(full)).toBe(full);
    expect(shownText(`${full}y`)).toBe(`${full}…`);
    expect(shownList([`${full}y`])).toEqual([`${full}…`]);
  });
});
