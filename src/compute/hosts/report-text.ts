// The stored form of a host's report: its JSON, and its differences from the previous report.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { SCHEDULER_LIMITS } from '../../platform/config/limits';
import type { HostReportDto } from './hosts.schema';

export interface ReportText {
  readonly text: string;
  /** SHA-256 of the text. */
  readonly digest: string;
}

/** Undefined if the text is longer than `SCHEDULER_LIMITS.reportBytes`. */
export function reportTextOf(report: HostReportDto): ReportText | undefined {
  const text = JSON.stringify(report);
  if (Buffer.byteLength(text) > SCHEDULER_LIMITS.reportBytes) return undefined;
  return { text, digest: createHash('sha256').update(text).digest('hex') };
}

/** Names of the fields that differ between two reports, sorted. A null field equals an absent one. */
export function changedFields(before: string, after: string): readonly string[] {
  const [old, fresh] = [before, after].map((text) => new Map(Object.entries(JSON.parse(text) as object)));
  const names = [...new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])].sort();
  return names.filter((name) => !isDeepStrictEqual(old?.get(name) ?? null, fresh?.get(name) ?? null));
}
