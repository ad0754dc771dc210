import { objectFrom } from './answer-json';

const LARGE = { list: Array.from({ length: 40_000 }, (_, at) => ({ at, text: `"{[${at}]}" \\ é` })), last: null };

/** The text in parts that end anywhere, also within a character. */
function partsOf(text: string, size: number): Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

it.each([
  ['small', { a: [1, 'é'] }, 3],
  ['large', LARGE, 65_521],
])('reads a %s answer', async (_, document, size) => {
  expect(await objectFrom(partsOf(JSON.stringify(document), size))).toEqual(document);
});

it('lets other work run while it reads a large answer', async () => {
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 0);
  await objectFrom(partsOf(JSON.stringify(LARGE), 65_536));
  clearInterval(timer);
  expect(turns).toBeGreaterThan(2);
});

it.each([
  ['no JSON', 'no'],
  ['a list', '[1]'],
  ['nothing', ''],
  ['a large answer that was cut', JSON.stringify(LARGE).slice(0, -5)],
])('is empty for %s', async (_, text) => {
  expect(await objectFrom(partsOf(text, 100_000))).toEqual({});
});
