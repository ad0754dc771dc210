// Stores the reports of hosts. A report is one transaction: it locks the service's row, reads the stored state and
// writes the report. If the report requests it or the host is new, the same transaction also updates Placement.
import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { InventoriesService } from '../../placement/inventories/inventories.service';
import { ResourceProvidersService } from '../../placement/resource-providers/resource-providers.service';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { Database } from '../../platform/database/database';
import type { WriteTx } from '../../platform/database/sql';
import type { WarnLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import { DomainError, DuplicateName, InvalidInput } from '../../platform/values/errors';
import { fieldFault } from '../../platform/values/field-fault';
import type { Uuid } from '../../platform/values/uuid';
import type { HostReport } from '../../scheduling-rules/host-state/host-facts';
import { FactsInForce, ONE } from '../facts-in-force';
import { forgetReleases, forgetReleasesOn, hasInstancesOn, markListed } from '../instances/instances.writes';
import { PlacementMirror } from '../placement-mirror.service';
import { RegistriesConfig } from '../registries.config';
import { lockHostAggregates } from '../registry-locks.writes';
import type { Page, PageQuery } from '../registry-page';
import { duplicateName, inUse, invalidField, isDuplicate, notFound } from '../registry-refusals';
import { holdService, markReportRefused, markServiceUp, refusedReports } from '../services/services.writes';
import { hostInventoriesOf } from './host-inventories';
import { canonicalReport, hostReportOf, problemOfReport } from './host-report';
import { hostsIn } from './hosts-in-force';
import type { Host, Known, ReportedHostFilter } from './hosts.repository';
import * as repository from './hosts.repository';
import type { HostReportDto } from './hosts.schema';
import type { ReportText } from './report-text';
import { changedFields, reportTextOf } from './report-text';

export interface Reported {
  readonly isNew: boolean;
  readonly uuid: Uuid | null;
  /** Names of the fields that changed, sorted. */
  readonly changed: readonly string[];
  /** The result for the root provider; null unless the report requests `report_providers`. */
  readonly providers: ReportedProviders | null;
  readonly seenAtMs: number;
  readonly downAfterSeconds: number;
}

interface ReportedProviders {
  readonly outcome: 'created' | 'updated' | 'unchanged';
  /** Resource classes that the host no longer has but that are still allocated. */
  readonly inUse: readonly string[];
}

interface Report {
  readonly host: string;
  readonly node: string;
  readonly body: HostReportDto;
  /** Digest of the report that this report is based on. If another report came first, this one is refused. */
  readonly over?: string;
}

/** A report that has passed all checks. */
interface JudgedReport extends Report {
  readonly read: HostReport;
  readonly kept: ReportText;
}

/** Throws invalid_request. */
function judgedReport(report: Report): JudgedReport {
  const body = canonicalReport(report.body);
  const read = hostReportOf(body);
  const problem = problemOfReport(read);
  if (problem !== undefined) throw invalidField(problem.field, problem.why);
  const kept = reportTextOf(body);
  if (kept === undefined) throw new InvalidInput(TOO_LONG);
  return { ...report, body, read, kept };
}

const TOO_LONG =
  `The report has more than ${SCHEDULER_LIMITS.reportBytes} bytes: list fewer or shorter instances, metrics, PCI pools ` +
  'or stats.';

@Injectable()
export class HostsService {
  constructor(
    private readonly db: Database,
    private readonly mirror: PlacementMirror,
    private readonly providers: ResourceProvidersService,
    private readonly inventories: InventoriesService,
    private readonly config: RegistriesConfig,
    @Inject(LOGGER) private readonly log: WarnLog,
    private readonly facts: FactsInForce,
  ) {}

  /** Throws not_found. */
  async get(host: string, node: string): Promise<Host> {
    const found =
      this.facts.source === null
        ? await this.db.read((sql) => repository.findHost(sql, host, node))
        : hostsIn(this.facts.source, { host, node }, ONE).items[0];
    if (found === undefined) throw notFound(`host ${host} with node ${node}`);
    return found;
  }

  async list(filter: ReportedHostFilter, page: PageQuery): Promise<Page<Host>> {
    if (this.facts.source !== null) return hostsIn(this.facts.source, filter, page);
    return this.db.readMuch((sql) => repository.listHosts(sql, filter, page));
  }

  /** Throws invalid_request, duplicate_name; generation_conflict if `over` is not the digest of the last report. */
  async report(report: Report): Promise<Reported> {
    try {
      const judged = judgedReport(report);
      return await this.db.write((tx) => this.reportIn(tx, judged, Date.now()));
    } catch (error) {
      if (error instanceof DomainError && error.code !== 'unavailable') await this.refused(report, error.message);
      throw error;
    }
  }

  /** The reasons by host, of hosts whose last report was refused. */
  refusedReports(): Promise<ReadonlyMap<string, string>> {
    return this.db.read(refusedReports);
  }

  /** The host goes silent, and its agent is not the operator who has to know why. */
  private async refused({ host, node }: Report, cause: string): Promise<void> {
    this.log.warn({ host, node, cause }, 'host report refused');
    try {
      await this.db.write((tx) => markReportRefused(tx, host, cause, Date.now()));
    } catch (error) {
      this.log.warn({ host, node, err: error }, 'the reason of a refused report was not recorded');
    }
  }

  async reportIn(tx: WriteTx, report: JudgedReport, nowMs: number): Promise<Reported> {
    await markServiceUp(tx, report.host, nowMs);
    const given = report.body.uuid ?? null;
    const known = await repository.findKnown(tx, report.host, report.node, given);
    if (known === undefined) throw new Error('a service vanished while its row was held');
    if (report.over !== undefined && report.over !== known.digest) {
      throw new DomainError(
        'scheduler.generation_conflict',
        `Host ${report.host} was reported by another request in the meantime.`,
      );
    }
    if (known.provider?.isRoot === false) throw invalidField('uuid', 'names a provider that is not a root');
    const answer = { seenAtMs: nowMs, downAfterSeconds: this.config.serviceDownSeconds };
    if (isUnchanged(known, given, report.kept.digest)) {
      tx.changes.serviceSeen(known.serviceId, nowMs);
      const { providers } = this.fixesRatios ? await this.reportProvider(tx, report, known, nowMs) : UNCHANGED;
      const shown = report.body.report_providers === true ? providers : null;
      return { ...answer, isNew: false, uuid: known.uuid, changed: [], providers: shown };
    }
    const changed = await changesOf(tx, report, known);
    const placed = await this.provide(tx, report, known, nowMs);
    await this.store(tx, { report, known, placed }, nowMs);
    await recordListed(tx, report, known, nowMs);
    tx.changes.service(known.serviceId);
    return { ...answer, isNew: known.hostId === null, uuid: placed.uuid, changed, providers: placed.providers };
  }

  /** Throws not_found; in_use if instances are placed on the host. */
  remove(host: string, node: string): Promise<void> {
    return this.db.write(async (tx) => {
      const service = await holdService(tx, host);
      const removed = await repository.findHost(tx, host, node);
      if (service === undefined || removed === undefined) throw notFound(`host ${host} with node ${node}`);
      if (await hasInstancesOn(tx, host, node)) throw inUse(`Instances are placed on host ${host}, node ${node}.`);
      await repository.deleteHost(tx, service.rowId, node);
      const named = removed.uuid === null ? await this.providers.rootsOf(tx, { names: [node] }) : [];
      await this.mirror.retireIn(tx, host, removed.uuid === null ? named.map(({ uuid }) => uuid) : [removed.uuid]);
      await forgetReleasesOn(tx, host, node);
      tx.changes.service(service.rowId);
    });
  }

  /** Creates or updates the root provider if requested. A new provider of the node gets aggregates and status trait. */
  private async provide(tx: WriteTx, report: JudgedReport, known: Known, nowMs: number): Promise<Provided> {
    const { provider, providers } = await this.reportProvider(tx, report, known, nowMs);
    const given = report.body.uuid ?? null;
    const uuid = provider?.uuid ?? given ?? known.uuid;
    const mirrored = known.mirroredProviderId;
    if (provider === null || provider.id === mirrored) return { uuid, mirroredProviderId: mirrored, providers };
    await lockHostAggregates(tx);
    const left = known.uuid !== null && known.uuid !== uuid ? known.uuid : null;
    const aggregates = await repository.aggregatesOfHost(tx, report.host);
    await this.mirror.adoptIn(
      tx,
      { providerId: provider.id, provider: provider.uuid, left, aggregates, isDisabled: known.isDisabled },
      nowMs,
    );
    return { uuid, mirroredProviderId: provider.id, providers };
  }

  private async reportProvider(
    tx: WriteTx,
    { node, body, read }: JudgedReport,
    { provider, uuid }: Known,
    nowMs: number,
  ): Promise<{ provider: { id: number; uuid: Uuid } | null; providers: ReportedProviders | null }> {
    if (body.report_providers !== true) return { provider, providers: null };
    const found = provider ?? (await this.createProvider(tx, node, body.uuid ?? uuid, nowMs));
    const reportedInventories = hostInventoriesOf(read, this.config.ratios);
    const { isChanged, inUse } = await this.inventories.setIn(
      tx,
      { providerUuid: found.uuid, ...reportedInventories },
      nowMs,
    );
    const outcome = provider === null ? 'created' : isChanged ? 'updated' : 'unchanged';
    return { provider: found, providers: { outcome, inUse } };
  }

  private async createProvider(
    tx: WriteTx,
    node: string,
    uuid: Uuid | null,
    nowMs: number,
  ): Promise<{ id: number; uuid: Uuid }> {
    const chosen = uuid ?? randomUUID();
    try {
      const id = await this.providers.createIn(
        tx,
        { uuid: chosen, name: node, parentUuid: null, isOfReport: true },
        nowMs,
      );
      return { id, uuid: chosen };
    } catch (error) {
      if (!(error instanceof DuplicateName)) throw error;
      const [holder] = await this.providers.rootsOf(tx, { names: [node] });
      throw duplicateName(
        holder === undefined
          ? fieldFault('uuid', `is not free for the root provider of node ${node}`) + ` ${error.message}`
          : rebuiltNode(node, chosen, holder.uuid),
      );
    }
  }

  /** Such ratios hold at every report, so Placement is compared with equal reports as well. */
  private get fixesRatios(): boolean {
    return Object.values(this.config.ratios.fixed).some((ratio) => ratio !== 0);
  }

  private async store(
    tx: WriteTx,
    { report, known, placed }: { report: JudgedReport; known: Known; placed: Provided },
    nowMs: number,
  ): Promise<void> {
    const { cell, service_version: serviceVersion } = report.body;
    const { uuid, mirroredProviderId } = placed;
    const row = {
      uuid,
      mirroredProviderId,
      cell: cell ?? null,
      serviceVersion: serviceVersion ?? 0,
      report: report.kept.text,
      reportDigest: report.kept.digest,
      reportedAtMs: nowMs,
    };
    try {
      if (known.hostId !== null) await repository.updateHost(tx, known.hostId, row);
      else await repository.insertHost(tx, { serviceId: known.serviceId, node: report.node }, row);
    } catch (error) {
      if (!isDuplicate(tx, error) || uuid === null) throw error;
      const holder = await repository.reporterOf(tx, uuid);
      throw duplicateName(
        fieldFault(
          'uuid',
          `is ${uuid}, which host ${holder?.host ?? '?'}, node ${holder?.node ?? '?'} reports already`,
        ),
      );
    }
  }
}

/** The node reports another uuid than before, as after a new installation. Its instances have the old provider. */
const rebuiltNode = (node: string, given: Uuid, existing: Uuid): string =>
  `${fieldFault('uuid', `is ${given}, but provider ${existing} has the name ${node} of the node`)} ` +
  `Report the uuid ${existing}. If the old provider is to stay as it is, give it another name: ` +
  `openstack resource provider set --name ${node}-old ${existing}`;

const UNCHANGED: { readonly providers: ReportedProviders } = { providers: { outcome: 'unchanged', inUse: [] } };

interface Provided {
  readonly uuid: Uuid | null;
  readonly mirroredProviderId: number | null;
  readonly providers: ReportedProviders | null;
}

/** True if only the time is new: same report, same provider, and aggregates and status trait already mirrored to it. */
function isUnchanged(known: Known, given: Uuid | null, digest: string): boolean {
  const uuid = known.provider?.uuid ?? given ?? known.uuid;
  const isMirrored = known.provider === null || known.provider.id === known.mirroredProviderId;
  return known.hostId !== null && known.digest === digest && known.uuid === uuid && isMirrored;
}

/** Names of the changed fields. The stored report is read only if it differs. */
async function changesOf(tx: WriteTx, { body, kept }: JudgedReport, known: Known): Promise<readonly string[]> {
  if (known.digest === kept.digest) return [];
  return changedFields(known.hostId === null ? {} : await repository.reportOf(tx, known.hostId), body);
}

/** Instances in the report are no longer pending. Releases of instances that are not in the report can be forgotten. */
async function recordListed(tx: WriteTx, { host, node, body }: Report, known: Known, nowMs: number): Promise<void> {
  const listed = (body.instances ?? []).map(({ uuid }) => uuid);
  if (known.hasPending) await markListed(tx, { host, node }, listed, nowMs);
  if (known.hasReleases) await forgetReleases(tx, { host, node }, new Set(listed));
}
