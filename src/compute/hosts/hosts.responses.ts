// Response schemas for hosts.presenter.ts: the last report, as the host sent it, and the state of the service.
import { COUNT, FLAG, listOf, oneOf, orNull, TEXT, TIME, UUID } from '../../platform/http/answer-schemas';
import { dtoSchemaOf } from '../../platform/http/dto-schema';
import { documentOf } from '../../platform/http/shown';
import type { SchemaNode } from '../../platform/microversion/versioned-schema';
import { closed, named } from '../../platform/microversion/versioned-schema';
import { presentTime } from '../registry-page';
import { DATED } from '../registry.responses';
import { SERVICE_STATE } from '../services/services.responses';
import { HostReportDto } from './hosts.schema';
import type { Reported } from './hosts.service';

const REPORT = dtoSchemaOf(HostReportDto).schema['properties'] as SchemaNode;

const ALWAYS = {
  host: TEXT,
  node: TEXT,
  uuid: orNull(UUID),
  cell: orNull(TEXT),
  service_version: COUNT,
  ...SERVICE_STATE,
  reported_at: TIME,
  ...DATED,
};

/** A field that the host did not report is absent. */
export const HOST = named(
  'Host',
  closed(
    { ...REPORT, ...ALWAYS },
    Object.keys(REPORT).filter((name) => !(name in ALWAYS)),
  ),
);

/** The result of a report: which fields changed, and after how long without a report the host counts as down. */
export const REPORTED = documentOf<Reported & { readonly host: string; readonly node: string }>('HostReported', {
  host: [TEXT, ({ host }) => host],
  node: [TEXT, ({ node }) => node],
  uuid: [orNull(UUID), ({ uuid }) => uuid],
  created: [FLAG, ({ isNew }) => isNew],
  changed: [listOf(TEXT), ({ changed }) => changed],
  providers: [
    orNull(closed({ outcome: oneOf('created', 'updated', 'unchanged'), in_use: listOf(TEXT) })),
    ({ providers }) => providers && { outcome: providers.outcome, in_use: providers.inUse },
  ],
  last_seen_up: [TIME, ({ seenAtMs }) => presentTime(seenAtMs)],
  down_after_seconds: [COUNT, ({ downAfterSeconds }) => downAfterSeconds],
});
