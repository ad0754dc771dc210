// Made of what the routes declare; do not edit it. `npm run docs` makes it again.
import type { Calls } from '../calls.ts';
import * as handWritten from '../hand-written.ts';

export class Resources {
  readonly candidates;
  readonly allocations;
  readonly reports;
  readonly reshaper;
  readonly resourceClasses;
  readonly providers;
  readonly scheduler;
  readonly availabilityZones;
  readonly flavors;
  readonly hostAggregates;
  readonly hosts;
  readonly images;
  readonly serverGroups;
  readonly services;
  readonly traits;
  readonly usages;

  constructor(calls: Calls) {
    this.candidates = {
      /** Lists the ways in which a request for resources could be met. */
      list: handWritten.listAllocationCandidates(calls),
      /** Explains why hosts have no candidate, and which changes of the request give them one. */
      explain: handWritten.explainAllocationCandidates(calls),
    };
    this.allocations = {
      /** Replaces the allocations of several consumers in one transaction. */
      post: calls.write('post', '/allocations'),
      /** Shows the allocations of a consumer. */
      get: calls.plain('get', '/allocations/{consumer_uuid}'),
      /** Replaces the allocations of a consumer. */
      put: handWritten.replaceAllocations(calls),
      /** Deletes the allocations of a consumer. */
      delete: calls.plain('delete', '/allocations/{consumer_uuid}'),
    };
    this.reports = {
      /** Lists problems and the commands that fix them. */
      advice: calls.plain('get', '/reports/advice'),
      /** Shows what the cloud has, uses and has left, by resource class and by groups of hosts. */
      capacity: calls.list('/reports/capacity'),
      /** Streams changes after a position as server-sent events. */
      changes: handWritten.streamChanges(calls),
      /** Shows how many more instances of each flavor fit, and the bottleneck for the next one. */
      flavors: calls.list('/reports/flavors'),
      /** Shows use, refusals and decisions over the last hours. */
      history: calls.list('/reports/history'),
      hosts: {
        /** Lists hosts with inventories, location and status. */
        list: calls.list('/reports/hosts'),
        /** Shows the host of a provider: tree, consumers, last decisions, and fitting flavors. */
        get: calls.plain('get', '/reports/hosts/{uuid}'),
      },
      instances: {
        /** Lists the instances that Berth placed, newest first; by name if only a part of the name is given. */
        list: calls.list('/reports/instances'),
      },
      /** Shows every host with its place, its status and one number to colour it by. */
      map: calls.list('/reports/map'),
      projects: {
        /** Lists projects with their use and its share of the cloud. */
        list: calls.list('/reports/projects'),
        /** Shows the use of a project and its largest consumers. */
        get: calls.list('/reports/projects/{id}'),
      },
      /** Shows why decisions of the last hours placed nothing. */
      refusals: calls.list('/reports/refusals'),
      /** Shows what changed since a time: hosts, refusals and use. */
      timeline: calls.list('/reports/timeline'),
    };
    this.reshaper = {
      /** Moves inventories between resource providers, and allocations with them, in one transaction. */
      reshape: calls.write('post', '/reshaper'),
    };
    this.resourceClasses = {
      /** Lists resource classes. */
      list: calls.plain('get', '/resource_classes'),
      /** Shows a resource class. */
      get: calls.plain('get', '/resource_classes/{name}'),
      /** Creates a custom resource class, or confirms it; old versions rename it. */
      create: calls.plain('put', '/resource_classes/{name}', { repeatable: true }),
      /** Deletes a custom resource class. */
      delete: calls.plain('delete', '/resource_classes/{name}'),
    };
    this.providers = {
      /** Lists resource providers. */
      list: calls.list('/resource_providers'),
      /** Creates a resource provider. */
      create: calls.write('post', '/resource_providers'),
      /** Shows a resource provider. */
      get: calls.plain('get', '/resource_providers/{uuid}'),
      /** Renames a resource provider, or moves it in its tree. */
      update: calls.write('put', '/resource_providers/{uuid}'),
      /** Deletes a resource provider. */
      delete: calls.plain('delete', '/resource_providers/{uuid}'),
      aggregates: {
        /** Lists the aggregates of a resource provider. */
        list: calls.plain('get', '/resource_providers/{uuid}/aggregates'),
        /** Replaces the aggregates of a resource provider. */
        replace: calls.write('put', '/resource_providers/{uuid}/aggregates'),
      },
      /** Lists the allocations of a resource provider. */
      allocations: calls.plain('get', '/resource_providers/{uuid}/allocations'),
      inventories: {
        /** Lists the inventories of a resource provider. */
        list: calls.plain('get', '/resource_providers/{uuid}/inventories'),
        /** Replaces all inventories of a resource provider. */
        replace: calls.write('put', '/resource_providers/{uuid}/inventories'),
        /** Gives a resource provider an inventory of one more resource class. */
        create: calls.write('post', '/resource_providers/{uuid}/inventories'),
        /** Deletes all inventories of a resource provider. */
        deleteAll: calls.plain('delete', '/resource_providers/{uuid}/inventories'),
        /** Shows the inventory of one resource class. */
        get: calls.plain('get', '/resource_providers/{uuid}/inventories/{resource_class}'),
        /** Replaces the inventory of one resource class. */
        update: calls.write('put', '/resource_providers/{uuid}/inventories/{resource_class}'),
        /** Deletes the inventory of one resource class. */
        delete: calls.plain('delete', '/resource_providers/{uuid}/inventories/{resource_class}'),
      },
      traits: {
        /** Lists the traits of a resource provider. */
        list: calls.plain('get', '/resource_providers/{uuid}/traits'),
        /** Replaces the traits of a resource provider. */
        replace: calls.write('put', '/resource_providers/{uuid}/traits'),
        /** Takes all traits from a resource provider. */
        deleteAll: calls.plain('delete', '/resource_providers/{uuid}/traits'),
      },
      /** Shows the usage of a resource provider. */
      usages: calls.plain('get', '/resource_providers/{uuid}/usages'),
    };
    this.scheduler = {
      /** Shows the filters, weighers and options in use. */
      show: calls.plain('get', '/scheduler'),
      /** Counts how many more instances of a request fit. */
      capacity: calls.write('post', '/scheduler/capacity', { repeatable: true }),
      decisions: {
        /** Lists decisions that were kept, newest first. */
        list: calls.list('/scheduler/decisions'),
        /** Shows the decision on a request. */
        get: calls.plain('get', '/scheduler/decisions/{request_id}'),
      },
      /** Shows which host would be selected, and why every other host was rejected. */
      explain: handWritten.explainDestinations(calls),
      instances: {
        /** Lists the instances that Berth placed. */
        list: calls.list('/scheduler/instances'),
        /** Shows an instance that Berth placed, with its allocations. */
        get: calls.plain('get', '/scheduler/instances/{uuid}'),
        /** Releases the claim of an instance. */
        release: calls.plain('delete', '/scheduler/instances/{uuid}'),
        /** Moves the claim of an instance whose build failed to another host. */
        buildFailed: calls.write('post', '/scheduler/instances/{uuid}/build_failed'),
        /** Ends a move: the instance stays where it went. */
        confirmMove: calls.plain('post', '/scheduler/instances/{uuid}/confirm_move'),
        /** Claims another place for an instance, which keeps what it has until the move ends. */
        move: calls.write('post', '/scheduler/instances/{uuid}/move'),
        /** Ends a move: the instance returns to its source host. */
        revertMove: calls.plain('post', '/scheduler/instances/{uuid}/revert_move'),
        /** Lets an instance move out of the availability zone that it asked for. */
        unpinZone: calls.plain('post', '/scheduler/instances/{uuid}/unpin_zone'),
      },
      plans: {
        /** Lists plans, newest first. */
        list: calls.list('/scheduler/plans'),
        /** Plans moves of instances, and moves nothing. */
        create: calls.write('post', '/scheduler/plans'),
        /** Shows a plan with the outcomes of its moves. */
        get: calls.plain('get', '/scheduler/plans/{id}'),
        /** Deletes a plan. */
        delete: calls.plain('delete', '/scheduler/plans/{id}'),
        /** Records the outcome of a move of a plan. */
        report: calls.write('post', '/scheduler/plans/{id}/moves/{number}'),
      },
      /** Chooses hosts for instances and claims what they need. */
      selectDestinations: handWritten.selectDestinations(calls),
      /** Decides on a described cloud instead of the real one. */
      simulate: calls.write('post', '/scheduler/simulate', { repeatable: true }),
    };
    this.availabilityZones = {
      /** Lists availability zones with their hosts. */
      list: calls.list('/scheduler/availability_zones'),
    };
    this.flavors = {
      /** Lists flavors. */
      list: calls.list('/scheduler/flavors'),
      /** Creates a flavor. */
      create: calls.write('post', '/scheduler/flavors'),
      /** Shows a flavor. */
      get: calls.plain('get', '/scheduler/flavors/{id}'),
      /** Replaces a flavor of the generation that the body names, or creates it. */
      put: calls.write('put', '/scheduler/flavors/{id}'),
      /** Deletes a flavor that nothing needs. */
      delete: calls.plain('delete', '/scheduler/flavors/{id}'),
      /** Changes what the body names of a flavor. */
      change: calls.write('patch', '/scheduler/flavors/{id}'),
      /** Merges extra specs into those of a flavor. */
      setExtraSpecs: calls.write('patch', '/scheduler/flavors/{id}/extra_specs'),
    };
    this.hostAggregates = {
      /** Lists host aggregates. */
      list: calls.list('/scheduler/host_aggregates'),
      /** Creates a host aggregate. */
      create: calls.write('post', '/scheduler/host_aggregates'),
      /** Shows a host aggregate. */
      get: calls.plain('get', '/scheduler/host_aggregates/{uuid}'),
      /** Replaces a host aggregate of the generation that the body names, or creates it. */
      put: calls.write('put', '/scheduler/host_aggregates/{uuid}'),
      /** Deletes a host aggregate that nothing needs. */
      delete: calls.plain('delete', '/scheduler/host_aggregates/{uuid}'),
      /** Changes what the body names of a host aggregate. */
      change: calls.write('patch', '/scheduler/host_aggregates/{uuid}'),
      /** Puts a host into a host aggregate. */
      addHost: calls.write('post', '/scheduler/host_aggregates/{uuid}/hosts'),
      /** Takes a host out of a host aggregate. */
      removeHost: calls.plain('delete', '/scheduler/host_aggregates/{uuid}/hosts/{host}'),
      /** Merges metadata into that of a host aggregate. */
      setMetadata: calls.write('patch', '/scheduler/host_aggregates/{uuid}/metadata'),
    };
    this.hosts = {
      /** Lists compute hosts with what they reported. */
      list: calls.list('/scheduler/hosts'),
      /** Shows a compute host with its last report. */
      get: calls.plain('get', '/scheduler/hosts/{host}/{node}'),
      /** Takes the report of a compute host, which is its heartbeat. */
      report: calls.write('put', '/scheduler/hosts/{host}/{node}', { repeatable: true }),
      /** Forgets a compute host. */
      delete: calls.plain('delete', '/scheduler/hosts/{host}/{node}'),
    };
    this.images = {
      /** Lists images. */
      list: calls.list('/scheduler/images'),
      /** Creates an image. */
      create: calls.write('post', '/scheduler/images'),
      /** Shows an image. */
      get: calls.plain('get', '/scheduler/images/{uuid}'),
      /** Replaces an image of the generation that the body names, or creates it. */
      put: calls.write('put', '/scheduler/images/{uuid}'),
      /** Deletes an image that nothing needs. */
      delete: calls.plain('delete', '/scheduler/images/{uuid}'),
      /** Changes what the body names of an image. */
      change: calls.write('patch', '/scheduler/images/{uuid}'),
    };
    this.serverGroups = {
      /** Lists server groups. */
      list: calls.list('/scheduler/server_groups'),
      /** Creates a server group. */
      create: calls.write('post', '/scheduler/server_groups'),
      /** Shows a server group. */
      get: calls.plain('get', '/scheduler/server_groups/{uuid}'),
      /** Replaces a server group of the generation that the body names, or creates it. */
      put: calls.write('put', '/scheduler/server_groups/{uuid}'),
      /** Deletes a server group that nothing needs. */
      delete: calls.plain('delete', '/scheduler/server_groups/{uuid}'),
      /** Changes what the body names of a server group. */
      change: calls.write('patch', '/scheduler/server_groups/{uuid}'),
    };
    this.services = {
      /** Lists the services of compute hosts. */
      list: calls.list('/scheduler/services'),
      /** Shows the service of a compute host. */
      get: calls.plain('get', '/scheduler/services/{host}'),
      /** Forgets the service of a compute host. */
      delete: calls.plain('delete', '/scheduler/services/{host}'),
      /** Enables, disables or forces down the service of a compute host. */
      change: calls.write('patch', '/scheduler/services/{host}'),
    };
    this.traits = {
      /** Lists traits. */
      list: calls.list('/traits'),
      /** Checks whether a trait exists. */
      get: calls.plain('get', '/traits/{name}'),
      /** Creates a custom trait, or confirms it. */
      create: calls.plain('put', '/traits/{name}', { repeatable: true }),
      /** Deletes a custom trait. */
      delete: calls.plain('delete', '/traits/{name}'),
    };
    this.usages = {
      /** Shows the usage of a project. */
      list: calls.list('/usages'),
    };
  }
}
