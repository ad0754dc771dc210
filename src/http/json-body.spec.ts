import { HTTP_LIMITS } from '../config/limits';
import { InvalidInput } from '../domain/errors';
import { turns } from '../turns/turns';
import { parseJsonBody, readJsonBody } from './json-body';

const CALLER = { isGone: false };
/** Characters of one to four bytes, so that parts end within some of them. */
const MIXED = 'aü€😀';
const document = { texts: Array.from({ length: 40 }, () => MIXED.repeat(10_000)) };
const bytes = Buffer.from(JSON.stringify(document));

afterEach(() => jest.restoreAllMocks());

it('reads text of any characters in parts, wherever these end', async () => {
  expect(bytes.length).toBeGreaterThan(4_000_000 - 1);
  expect(parseJsonBody(bytes)).toEqual(document);
  await expect(readJsonBody(bytes, CALLER)).resolves.toEqual(document);
});

it('decodes a bounded number of bytes between two chances of others', async () => {
  const decode = jest.spyOn(TextDecoder.prototype, 'decode');
  jest.spyOn(turns, 'run').mockImplementation(async (walk) => {
    for (;;) {
      const before = decode.mock.calls.length;
      const step = walk.next();
      expect(decode.mock.calls.length - before).toBeLessThanOrEqual(2);
      if (step.done === true) return step.value;
    }
  });
  await readJsonBody(bytes, CALLER);
  const sizes = decode.mock.calls.map(([part]) => (part as Uint8Array | undefined)?.length ?? 0);
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(512 * 1_024);
});

it.each<[string, Uint8Array | undefined]>([
  ['nothing', undefined],
  ['no bytes', Buffer.alloc(0)],
  ['what is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['a large body that ends within a character', Buffer.concat([bytes, Buffer.from([0xe2, 0x82])])],
  ['a large body that is broken in its middle', Buffer.concat([bytes, Buffer.from([0xff]), bytes])],
])('refuses %s', async (_, body) => {
  await expect((async () => readJsonBody(body, CALLER))()).rejects.toThrow(InvalidInput);
});

it('has a bound from which on bodies are read in turns', () => {
  const run = jest.spyOn(turns, 'run');
  expect(readJsonBody(Buffer.from(JSON.stringify('x'.repeat(HTTP_LIMITS.smallBodyBytes - 2))), CALLER)).toHaveLength(
    HTTP_LIMITS.smallBodyBytes - 2,
  );
  expect(run).not.toHaveBeenCalled();
});
