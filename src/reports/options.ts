// Options of the reports.

import { REPORT_LIMITS } from '../platform/config/limits';
import type { PlatformConfig } from '../platform/config/platform-config';
import { integer } from '../platform/values/options';
import type { GroupValues } from '../platform/values/options';

export const REPORTS_OPTIONS = {
  berth: {
    stranded_max_age_seconds: integer(
      REPORT_LIMITS.strandedAgeSeconds,
      'What reports say of stranded amounts and of how many of each flavor fit is worked out again when it is asked for and ' +
        'older than this.',
      { min: 1, max: REPORT_LIMITS.strandedAgeSecondsMax },
    ),
    history_interval_seconds: integer(
      300,
      'One process takes a sample of use, refusals and decisions in each interval; samples are kept for eight days. 0: none.',
      { min: 0, max: 3_600 },
    ),
  },
} as const;

export type ReportsConfig = PlatformConfig & GroupValues<typeof REPORTS_OPTIONS>;
