// The client: one session, and the resources of the API at one microversion.
import { allocationsOf } from './allocations.ts';
import { Calls } from './calls.ts';
import { candidatesOf } from './candidates.ts';
import { hypervisorsOf, keypairsOf, serversOf } from './compute.ts';
import { NEWEST_COMPUTE, checkedVersion } from './microversion.ts';
import { providersOf, reshaperOf, resourceClassesOf, traitsOf, usagesOf } from './placement.ts';
import {
  availabilityZonesOf,
  flavorsOf,
  hostAggregatesOf,
  hostsOf,
  imagesOf,
  serverGroupsOf,
  servicesOf,
} from './registries.ts';
import { reportsOf } from './reports.ts';
import { schedulerOf } from './scheduler.ts';
import type { Session } from './session.ts';

export class Client {
  readonly providers;
  readonly resourceClasses;
  readonly traits;
  readonly allocations;
  readonly candidates;
  readonly usages;
  readonly reshaper;
  readonly scheduler;
  readonly hosts;
  readonly services;
  readonly hostAggregates;
  readonly availabilityZones;
  readonly serverGroups;
  readonly flavors;
  readonly images;
  readonly servers;
  readonly keypairs;
  readonly hypervisors;
  readonly reports;
  readonly #session: Session;

  /** `version` is the microversion of every call; without one it is the newest that both sides speak. */
  constructor(session: Session, version?: string) {
    this.#session = session;
    const calls = new Calls(session, version === undefined ? undefined : checkedVersion(version));
    this.providers = providersOf(calls);
    this.resourceClasses = resourceClassesOf(calls);
    this.traits = traitsOf(calls);
    this.allocations = allocationsOf(calls);
    this.candidates = candidatesOf(calls);
    this.usages = usagesOf(calls);
    this.reshaper = reshaperOf(calls);
    this.scheduler = schedulerOf(calls);
    this.hosts = hostsOf(calls);
    this.services = servicesOf(calls);
    this.hostAggregates = hostAggregatesOf(calls);
    this.availabilityZones = availabilityZonesOf(calls);
    this.serverGroups = serverGroupsOf(calls);
    this.flavors = flavorsOf(calls);
    this.images = imagesOf(calls);
    const compute = new Calls(session, NEWEST_COMPUTE, 'compute');
    this.servers = serversOf(compute);
    this.keypairs = keypairsOf(compute);
    this.hypervisors = hypervisorsOf(compute);
    this.reports = reportsOf(calls);
  }

  /** The same session at another microversion, as `1.10`. What the types say of documents holds for the newest. */
  at(version: string): Client {
    return new Client(this.#session, version);
  }
}
