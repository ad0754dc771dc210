import { isKnownImageProperty } from '../request/image-properties';
import { BOOLEAN_PROPERTIES, comparableText, INTEGER_PROPERTIES } from './image-property-texts';

it.each([
  ['os_type', 'windows', 'windows'],
  ['os_type', '', null],
  ['os_type', undefined, null],
  ['os_version', '0', '0'],
  ['os_version', 'false', 'false'],
  ['hw_boot_menu', 'true', 'True'],
  ['hw_boot_menu', 'YES', 'True'],
  ['hw_boot_menu', 'false', null],
  ['hw_boot_menu', '0', null],
  ['hw_boot_menu', 'perhaps', null],
  ['hw_video_ram', '0', null],
  ['hw_video_ram', '064', '64'],
  ['hw_video_ram', 'much', 'much'],
])('the text of %s %s: %s', (name, value, text) => expect(comparableText(name, value)).toBe(text));

it('names only properties that are known', () => {
  const names = [...BOOLEAN_PROPERTIES, ...INTEGER_PROPERTIES];
  expect(names.filter((name) => !isKnownImageProperty(name))).toEqual([]);
});
