// Keeps virtual hosts up: the first process to notice reports a host, with its instances, again before it would count
// as down. A host that has sent a report of its own is no longer virtual and is skipped.
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { HostsService } from '../../compute/hosts/hosts.service';
import { InstancesService } from '../../compute/instances/instances.service';
import { RegistriesConfig } from '../../compute/registries.config';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { tasks } from '../../platform/event-loop/task-scheduler';
import type { WarnLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import { DomainError } from '../../platform/values/errors';
import type { ReportedHosts, ReportedNode } from '../../scheduler/ports';
import { REPORTED_HOSTS } from '../../scheduler/ports';
import { isVirtual, renewedReport } from './virtual-report';

/** Virtual hosts that are due are looked for this often at least. */
const VIRTUAL_ROUND_MS = 10_000;

/** Fraction of the service-down time after which a virtual host is reported again. */
const RENEWED_AFTER = 1 / 3;

@Injectable()
export class VirtualHosts implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly hosts: HostsService,
    private readonly instances: InstancesService,
    @Inject(REPORTED_HOSTS) private readonly source: ReportedHosts,
    private readonly registries: RegistriesConfig,
    @Inject(LOGGER) private readonly log: WarnLog,
  ) {}

  onApplicationBootstrap(): void {
    const next = (): void => {
      this.running = this.round().finally(() => {
        if (this.isStopping) return;
        this.timer = setTimeout(next, Math.min(VIRTUAL_ROUND_MS, this.renewedAfterMs / 2));
        this.timer.unref();
      });
    };
    next();
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /** Reports the hosts that are due. Never throws. */
  async round(nowMs = Date.now()): Promise<void> {
    try {
      for (const { host, node } of await this.due(nowMs)) {
        if (this.isStopping) return;
        await this.renew(host, node);
      }
    } catch (error) {
      this.log.warn({ err: error }, 'virtual hosts could not be reported; the next round tries again');
    }
  }

  /** Uses this process's copy of the hosts, which can be out of date: the write itself compares the report digest. */
  private async due(nowMs: number): Promise<readonly ReportedNode[]> {
    const due: ReportedNode[] = [];
    const addIfDue = (node: ReportedNode): void => {
      const isDue = Math.abs(nowMs - (node.lastSeenUpMs ?? 0)) >= this.renewedAfterMs;
      if (isDue && isVirtual(node.stats)) due.push(node);
    };
    await tasks.forEach(this.source.reported(), addIfDue);
    return due;
  }

  private async renew(host: string, node: string): Promise<void> {
    const { report, reportDigest } = await this.hosts.get(host, node);
    if (!isVirtual(report.stats)) return;
    const { items } = await this.instances.list({ host, node }, { limit: SCHEDULER_LIMITS.listMax, marker: undefined });
    try {
      await this.hosts.report({ host, node, body: renewedReport(report, items), over: reportDigest });
    } catch (error) {
      // The host was reported or removed in the meantime.
      const isOvertaken = error instanceof DomainError && error.code === 'scheduler.generation_conflict';
      if (!isOvertaken) throw error;
    }
  }

  private get renewedAfterMs(): number {
    return this.registries.serviceDownSeconds * 1000 * RENEWED_AFTER;
  }
}
