// Adds to the Fastify configuration of a route; Nest's own decorator replaces it.
import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants';

export const routeConfigOf = (handler: object): object =>
  (Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) ?? {}) as object;

export const AddRouteConfig =
  (config: object): MethodDecorator =>
  (prototype, name, descriptor) =>
    RouteConfig({ ...routeConfigOf(descriptor.value as object), ...config })(prototype, name, descriptor);
