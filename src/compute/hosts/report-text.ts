// The stored form of a host's report: its JSON, and its differences from the previous report.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
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

/**
 * Names of the fields that differ between the stored report and the body of a new one, sorted. A null field equals an
 * absent one.
 */
export function changedFields(stored: HostReportDto, body: HostReportDto): readonly string[] {
  const names = Object.keys({ ...stored, ...body }).sort() as (keyof HostReportDto)[];
  return names.filter((name) => !isDeepStrictEqual(stored[name] ?? null, plainOf(body[name] ?? null)));
}

/** A nested document of a body is an instance of its class, which no plain object equals. Long lists are plain. */
const plainOf = (value: unknown): unknown => (Array.isArray(value) ? value : JSON.parse(JSON.stringify(value)));
