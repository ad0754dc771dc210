import { EventEmitter } from 'node:events';
import { Unavailable } from '../values/errors';
import type { Charge } from './unread-answers';
import { UnreadAnswers } from './unread-answers';

const charged = (unread: UnreadAnswers, bytes: number, response = new EventEmitter()): Charge => {
  const charge = unread.charge();
  charge.until(response as never);
  charge.to(bytes);
  return charge;
};

it('lets answers in up to the bound, and further ones when others were taken', () => {
  const unread = new UnreadAnswers(100);
  const second = new EventEmitter();
  charged(unread, 60);
  charged(unread, 40, second);
  expect(() => charged(unread, 1)).toThrow(Unavailable);
  second.emit('close');
  expect(() => charged(unread, 41)).toThrow(Unavailable);
  charged(unread, 40);
});

it('lets one answer in, however large', () => {
  const unread = new UnreadAnswers(100);
  const huge = new EventEmitter();
  charged(unread, 1_000, huge);
  expect(() => charged(unread, 1)).toThrow(Unavailable);
  huge.emit('close');
  charged(unread, 1_000);
});

it('charges an answer while it grows, and what it came to in the end', () => {
  const unread = new UnreadAnswers(100);
  const [one, other] = [unread.charge(), unread.charge()];
  one.to(50);
  other.to(30);
  expect(() => one.to(71)).toThrow(Unavailable);
  expect(unread.unreadBytes).toBe(80);
  one.to(10);
  other.to(90);
  expect(unread.unreadBytes).toBe(100);
  other.release();
  other.release();
  expect(unread.unreadBytes).toBe(10);
});
