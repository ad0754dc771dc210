import { TRANSFER_LIMITS } from '../platform/config/limits/transfer';
import { LineProgress } from './progress';

it('says rows, rate and time left in plain lines, now and then, and how each stage ended', () => {
  let nowMs = 0;
  const lines: string[] = [];
  const progress = new LineProgress({ write: (text) => lines.push(text) }, () => nowMs);
  progress.stage('allocations', 1_000);
  progress.advance(10);
  expect(lines).toEqual([]);
  nowMs = TRANSFER_LIMITS.progressLineMs;
  progress.advance(490);
  expect(lines).toEqual(['allocations: 500 of 1000 rows, 100/s, 5 s left\n']);
  nowMs += 1_000;
  progress.advance(500);
  progress.stage('verification', 2);
  progress.end();
  progress.end();
  expect(lines.slice(1)).toEqual(['allocations: 1000 rows in 6 s\n', 'verification: 0 rows in 0 s\n']);
});
