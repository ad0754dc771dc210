// The resources of the Placement API, but for claims and candidates, which have files of their own.
import type { Calls } from './calls.ts';

/** A write that makes what its path names unless it is there. */
const AGAIN = { repeatable: true };

export const providersOf = (calls: Calls) => ({
  list: calls.list('/resource_providers'),
  get: calls.plain('get', '/resource_providers/{uuid}'),
  create: calls.write('post', '/resource_providers'),
  update: calls.write('put', '/resource_providers/{uuid}'),
  delete: calls.plain('delete', '/resource_providers/{uuid}'),
  usages: calls.plain('get', '/resource_providers/{uuid}/usages'),
  allocations: calls.plain('get', '/resource_providers/{uuid}/allocations'),
  inventories: {
    list: calls.plain('get', '/resource_providers/{uuid}/inventories'),
    get: calls.plain('get', '/resource_providers/{uuid}/inventories/{resource_class}'),
    create: calls.write('post', '/resource_providers/{uuid}/inventories'),
    update: calls.write('put', '/resource_providers/{uuid}/inventories/{resource_class}'),
    delete: calls.plain('delete', '/resource_providers/{uuid}/inventories/{resource_class}'),
    replace: calls.write('put', '/resource_providers/{uuid}/inventories'),
    deleteAll: calls.plain('delete', '/resource_providers/{uuid}/inventories'),
  },
  traits: {
    list: calls.plain('get', '/resource_providers/{uuid}/traits'),
    replace: calls.write('put', '/resource_providers/{uuid}/traits'),
    deleteAll: calls.plain('delete', '/resource_providers/{uuid}/traits'),
  },
  aggregates: {
    list: calls.plain('get', '/resource_providers/{uuid}/aggregates'),
    replace: calls.write('put', '/resource_providers/{uuid}/aggregates'),
  },
});

export const resourceClassesOf = (calls: Calls) => ({
  list: calls.plain('get', '/resource_classes'),
  get: calls.plain('get', '/resource_classes/{name}'),
  /** Makes it, unless it is there; from microversion 1.7 on. */
  create: calls.plain('put', '/resource_classes/{name}', AGAIN),
  delete: calls.plain('delete', '/resource_classes/{name}'),
});

export const traitsOf = (calls: Calls) => ({
  list: calls.list('/traits'),
  /** Throws NotFound unless there is such a trait. */
  get: calls.plain('get', '/traits/{name}'),
  /** Makes it, unless it is there. */
  create: calls.plain('put', '/traits/{name}', AGAIN),
  delete: calls.plain('delete', '/traits/{name}'),
});

export const usagesOf = (calls: Calls) => ({
  /** What a project uses. */
  list: calls.list('/usages'),
});

export const reshaperOf = (calls: Calls) => ({
  /** Inventories and allocations of several providers at once. */
  reshape: calls.write('post', '/reshaper'),
});
