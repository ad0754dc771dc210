import { HTTP_LIMITS } from '../config/limits/http';
import { tasks } from '../event-loop/task-scheduler';
import { InvalidInput } from '../values/errors';
import { judgedBody, parseJsonBody } from './json-body';

const REQUEST = { berth: { isGone: false }, routeOptions: { bodyLimit: 2 ** 21 } } as Parameters<typeof judgedBody>[0];
const MIXED = 'aü€😀';
const document = { texts: Array.from({ length: 40 }, () => MIXED.repeat(1_000)) };
const bytes = Buffer.from(JSON.stringify(document));
const read = (body: unknown): unknown => judgedBody({ ...REQUEST, body }, (text) => (text as string).length);

afterEach(() => jest.restoreAllMocks());

it('reads text of any characters', () => {
  expect(parseJsonBody(bytes)).toEqual(document);
  expect(parseJsonBody(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]))).toEqual(document);
});

it.each<[string, Uint8Array | undefined]>([
  ['nothing', undefined],
  ['no bytes', Buffer.alloc(0)],
  ['what is not UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['a body that ends within a character', Buffer.concat([bytes, Buffer.from([0xe2, 0x82])])],
  ['a body that ends within a text', Buffer.from('["a')],
  ['a body that ends behind a backslash', Buffer.from('["a\\')],
  ['a number that is none', Buffer.from('[NaN]')],
  ['more closing brackets than opening ones', Buffer.from('[]]')],
])('refuses %s', (_, body) => {
  expect(() => parseJsonBody(body)).toThrow(InvalidInput);
});

const nested = (levels: number): Buffer => Buffer.from('['.repeat(levels) + ']'.repeat(levels));

it('is nested so many levels at most, brackets in texts not counted', () => {
  expect(parseJsonBody(nested(HTTP_LIMITS.jsonDepth))).toBeInstanceOf(Array);
  expect(parseJsonBody(Buffer.from(`["${'['.repeat(100)}\\"${'{'.repeat(100)}"]`))).toHaveLength(1);
  expect(() => parseJsonBody(nested(HTTP_LIMITS.jsonDepth + 1))).toThrow('nested more than 64 levels deep');
});

it('limits keys of an object, different keys of a body, and objects and lists; those in texts do not count', () => {
  const keys = (count: number): Buffer => Buffer.from(`{${'"a:[{":0,'.repeat(count - 1)}"a":0}`);
  const lists = (count: number): Buffer => Buffer.from(`[${'["["],'.repeat(count - 2)}[]]`);
  const newKeys = (count: number): Buffer =>
    Buffer.from(JSON.stringify(Array.from({ length: count }, (_, at) => ({ [`consumer-${at}`]: at, same: 0 }))));
  const [ofKeys, ofLists] = [25_000 * HTTP_LIMITS.bodyBytesPerNewKey, 5_000 * HTTP_LIMITS.bodyBytesPerContainer];
  expect(parseJsonBody(keys(HTTP_LIMITS.jsonKeys))).toHaveProperty('a', 0);
  expect(() => parseJsonBody(keys(HTTP_LIMITS.jsonKeys + 1))).toThrow('an object has more than 20000 keys.');
  const both = Buffer.concat([Buffer.from('['), keys(20_000), Buffer.from(','), keys(20_000), Buffer.from(']')]);
  expect(parseJsonBody(both)).toHaveLength(2);
  expect(parseJsonBody(newKeys(24_000), ofKeys)).toHaveLength(24_000);
  expect(() => parseJsonBody(newKeys(30_000), ofKeys)).toThrow('the body has more than 25000 different keys.');
  expect(parseJsonBody(lists(5_000), ofLists)).toHaveLength(4_999);
  expect(() => parseJsonBody(lists(5_001), ofLists)).toThrow('the body has more than 5000 objects and lists.');
});

it('lets others run before and after it judges a large body, and no other body', async () => {
  const yieldToEventLoop = jest.spyOn(tasks, 'yieldToEventLoop');
  const of = (length: number): Buffer => Buffer.from(JSON.stringify('x'.repeat(length - 2)));
  expect(read(of(HTTP_LIMITS.smallBodyBytes))).toBe(HTTP_LIMITS.smallBodyBytes - 2);
  expect(yieldToEventLoop).not.toHaveBeenCalled();
  const order: string[] = [];
  const polled = setInterval(() => order.push('others'), 0);
  const large = judgedBody({ ...REQUEST, body: of(HTTP_LIMITS.smallBodyBytes + 1) }, () => order.push('judged'));
  await large;
  clearInterval(polled);
  expect(order.filter((each) => each === 'judged')).toHaveLength(1);
  expect(order.indexOf('judged')).toBeGreaterThan(0);
  expect(yieldToEventLoop).toHaveBeenCalledTimes(3);
});
