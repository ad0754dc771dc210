// A host's report as it is kept: its JSON, which is made once, and how it differs from the one before. Reports list ten
// thousand instances, so both are done in steps that can be put down.
import { createHash } from 'node:crypto';
import { SCHEDULER_LIMITS } from '../../config/limits';
import type { Walk } from '../../domain/walk';
import { bytesOf } from '../../http/body-bytes';
import { jsonBody } from '../../http/long-json';
import type { HostReportDto } from './hosts.schema';

export interface ReportText {
  readonly text: string;
  /** Equal for equal texts, and for those alone. */
  readonly digest: string;
}

const BYTES_PER_STEP = 1_024 * 1_024;

/** Undefined where it is longer than `SCHEDULER_LIMITS.reportBytes`. */
export function* reportTextWalk(report: HostReportDto): Walk<ReportText | undefined> {
  const body = jsonBody(report);
  const bytes = typeof body === 'string' ? Buffer.from(body) : yield* bytesOf(body, SCHEDULER_LIMITS.reportBytes);
  if (bytes === undefined || bytes.length > SCHEDULER_LIMITS.reportBytes) return undefined;
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.length; at += BYTES_PER_STEP) {
    if (at > 0) yield;
    hash.update(bytes.subarray(at, at + BYTES_PER_STEP));
  }
  return { text: typeof body === 'string' ? body : bytes.toString(), digest: hash.digest('hex') };
}

/** Fields that are not as they were, in the order of names; one that is null is one that is absent. */
export function* changedFieldsWalk(before: HostReportDto, after: HostReportDto): Walk<readonly string[]> {
  const [old, fresh] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const changed: string[] = [];
  for (const name of [...new Set([...Object.keys(old), ...Object.keys(fresh)])].sort()) {
    if (!(yield* areAlike(old[name] ?? null, fresh[name] ?? null))) changed.push(name);
  }
  return changed;
}

const VALUES_PER_STEP = 2_000;

/** Whether two values say the same in JSON, whatever the order of keys. */
function* areAlike(one: unknown, other: unknown): Walk<boolean> {
  const open: (readonly [unknown, unknown])[] = [[one, other]];
  for (let seen = 1; ; seen += 1) {
    if (seen % VALUES_PER_STEP === 0) yield;
    const pair = open.pop();
    if (pair === undefined) return true;
    const [left, right] = pair;
    if (left === right) continue;
    const members = membersOfBoth(left, right);
    if (members === undefined) return false;
    for (const member of members) open.push(member);
  }
}

/** Undefined where they differ in what they are, or in which members they have. */
function membersOfBoth(left: unknown, right: unknown): readonly (readonly [unknown, unknown])[] | undefined {
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return undefined;
  if (Array.isArray(left) !== Array.isArray(right)) return undefined;
  const [mine, theirs] = [Object.entries(left).filter(isSaid), new Map(Object.entries(right).filter(isSaid))];
  if (mine.length !== theirs.size || !mine.every(([key]) => theirs.has(key))) return undefined;
  return mine.map(([key, value]: [string, unknown]) => [value, theirs.get(key)] as const);
}

const isSaid = ([, value]: [string, unknown]): boolean => value !== undefined;
