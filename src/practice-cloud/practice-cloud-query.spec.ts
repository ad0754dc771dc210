import { InvalidInput } from '../platform/values/errors';
import { textPattern } from './practice-cloud-query';

const TEXTS = ['', 'a', 'b', 'ab', 'web-1', 'web-22', 'xweb-1', 'db.example', 'dbxexample', 'äé', 'a\nb', 'aaa', '*'];

it.each([
  ...'a ^a$ ^a b$ web-.* .*web.* ^.*b$ ^web-[0-9]+$ web-\\d+$ db\\.example db.example ^a*$ a|b$ ^web|^db'.split(' '),
  ...'^[^a-z]+$ ^.$ x?web \\- \\* ^$ | a\\sb [\\d.] [*+?]'.split(' '),
])('finds the texts that contain a match of %j', (expression) => {
  const matches = textPattern('name', expression);
  expect(TEXTS.filter((text) => matches(text))).toEqual(TEXTS.filter((text) => new RegExp(expression, 's').test(text)));
});

it.each(['(a)', 'a{2}', '*', 'a**', 'a*b*', 'a?a?', '[', '[z-a]', '[\\]a*b*]', '\\', 'a'.repeat(256)])(
  'refuses the pattern %j by the name of the parameter',
  (expression) => {
    expect(() => textPattern('name', expression)).toThrow(InvalidInput);
    expect(() => textPattern('name', expression)).toThrow("'name' must be a regular expression");
  },
);
