// Keeps Placement in step with the registries, inside the transaction that changes them. Root providers of a host are
// members of the placement aggregates of its host aggregates, and have the status trait while its service is disabled.
import { Injectable } from '@nestjs/common';
import { AggregatesService } from '../placement/aggregates/aggregates.service';
import { DISABLED_TRAIT } from '../placement/domain/standard-traits';
import { ProviderTraitsService } from '../placement/provider-traits/provider-traits.service';
import { ResourceProvidersService } from '../placement/resource-providers/resource-providers.service';
import type { SqlReader, WriteTx } from '../platform/database/sql';
import { queryAmong } from '../platform/database/sql';
import { addTo } from '../platform/values/lists-by-key';
import type { Uuid } from '../platform/values/uuid';
import { inUse } from './registry-refusals';

/** Hosts that join and leave a host aggregate. */
interface MembershipChange {
  readonly aggregate: Uuid;
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

@Injectable()
export class PlacementMirror {
  constructor(
    private readonly providers: ResourceProvidersService,
    private readonly aggregates: AggregatesService,
    private readonly traits: ProviderTraitsService,
  ) {}

  /**
   * Root providers by host: those that its nodes reported. A node without a reported uuid matches the root provider
   * with its name. A host without nodes matches the root provider with the name of the host.
   */
  async rootsOfHosts(sql: SqlReader, hosts: readonly string[]): Promise<ReadonlyMap<string, readonly Uuid[]>> {
    const nodes = new Map<string, { readonly node: string; readonly uuid: Uuid | null }[]>();
    const text = (among: string): string =>
      'SELECT s.host, h.node, h.uuid FROM scheduler_services s JOIN scheduler_hosts h ON h.service_id = s.id ' +
      `WHERE s.host IN (${among})`;
    const rows = await queryAmong<{ host: string; node: string; uuid: Uuid | null }>(sql, [...new Set(hosts)], text);
    for (const { host, ...node } of rows) addTo(nodes, host, node);
    const named = new Map(
      hosts.map((host) => [
        host,
        nodes.get(host)?.flatMap(({ node, uuid }) => (uuid === null ? [node] : [])) ?? [host],
      ]),
    );
    const names = [...new Set([...named.values()].flat())];
    const byName = new Map((await this.providers.rootsOf(sql, { names })).map((root) => [root.name, root.uuid]));
    return new Map(
      [...named].map(([host, names]) => [
        host,
        [
          ...(nodes.get(host) ?? []).flatMap(({ uuid }) => uuid ?? []),
          ...names.flatMap((name) => byName.get(name) ?? []),
        ],
      ]),
    );
  }

  /** The root providers of the hosts join and leave the placement aggregates with the same uuids. */
  async moveHostsIn(tx: WriteTx, changes: readonly MembershipChange[], nowMs: number): Promise<void> {
    const hosts = [...new Set(changes.flatMap(({ added, removed }) => [...added, ...removed]))];
    if (hosts.length === 0) return;
    const roots = await this.rootsOfHosts(tx, hosts);
    const rootsOf = (names: readonly string[]): readonly Uuid[] => names.flatMap((name) => roots.get(name) ?? []);
    const members = changes.map(({ aggregate, added, removed }) => ({
      aggregate,
      add: rootsOf(added),
      remove: rootsOf(removed),
    }));
    await this.aggregates.changeMembersIn(tx, members, nowMs);
  }

  /** Sets the status trait on all root providers of the host, or removes it from all. */
  async setStatusIn(tx: WriteTx, host: string, isDisabled: boolean, nowMs: number): Promise<void> {
    const providers = (await this.rootsOfHosts(tx, [host])).get(host) ?? [];
    await this.traits.setTraitIn(tx, { providers, trait: DISABLED_TRAIT, isWanted: isDisabled }, nowMs);
  }

  /** The host of these root providers is removed. Throws in_use if there are allocations. */
  async retireIn(tx: WriteTx, host: string, roots: readonly Uuid[]): Promise<void> {
    for (const root of roots) {
      if (await this.providers.retireIn(tx, root)) continue;
      throw inUse(`Resource provider ${root} of host ${host} has allocations. Release or move its instances first.`);
    }
  }

  /**
   * Puts a root provider into these placement aggregates and sets or removes its status trait. The provider that it
   * replaces leaves the aggregates and loses the trait.
   */
  async adoptIn(tx: WriteTx, adoption: Adoption, nowMs: number): Promise<void> {
    const { provider, left, aggregates, isDisabled } = adoption;
    await this.providers.markReportedIn(tx, adoption.providerId);
    const changes = aggregates.map((aggregate) => ({
      aggregate,
      add: [provider],
      remove: left === null ? [] : [left],
    }));
    if (changes.length > 0) await this.aggregates.changeMembersIn(tx, changes, nowMs);
    await this.traits.setTraitIn(tx, { providers: [provider], trait: DISABLED_TRAIT, isWanted: isDisabled }, nowMs);
    if (left !== null) {
      await this.traits.setTraitIn(tx, { providers: [left], trait: DISABLED_TRAIT, isWanted: false }, nowMs);
    }
  }
}

interface Adoption {
  readonly providerId: number;
  readonly provider: Uuid;
  /** The previous provider of the node, if it was a different one. */
  readonly left: Uuid | null;
  /** The host aggregates that contain the host. */
  readonly aggregates: readonly Uuid[];
  readonly isDisabled: boolean;
}
