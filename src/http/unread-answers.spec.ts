import { EventEmitter } from 'node:events';
import { Unavailable } from '../errors/domain-errors';
import { UnreadAnswers } from './unread-answers';

it('lets answers in up to the bound, and further ones when others were taken', () => {
  const unread = new UnreadAnswers(100);
  const [first, second] = [new EventEmitter(), new EventEmitter()];
  unread.charge(60, first as never);
  unread.charge(40, second as never);
  expect(() => unread.charge(1, new EventEmitter() as never)).toThrow(Unavailable);
  second.emit('close');
  expect(() => unread.charge(41, new EventEmitter() as never)).toThrow(Unavailable);
  unread.charge(40, new EventEmitter() as never);
});

it('lets one answer in, however large', () => {
  const unread = new UnreadAnswers(100);
  const huge = new EventEmitter();
  unread.charge(1_000, huge as never);
  expect(() => unread.charge(1, new EventEmitter() as never)).toThrow(Unavailable);
  huge.emit('close');
  unread.charge(1_000, new EventEmitter() as never);
});
