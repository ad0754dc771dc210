// What Fastify keeps of a route, added to by several decorators; Nest's own decorator replaces what is there.
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';

export const routeConfigOf = (handler: object): object =>
  (Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) ?? {}) as object;

export const AddRouteConfig =
  (config: object): MethodDecorator =>
  (prototype, name, descriptor) =>
    RouteConfig({ ...routeConfigOf(descriptor.value as object), ...config })(prototype, name, descriptor);
