import type { ExecutionContext } from '@nestjs/common';
import { Controller, Get } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { createPolicyEnforcer } from '../auth/policy-enforcer';
import { Policy, Public } from './route.decorators';
import { RouteGuard } from './route.guard';

@Controller()
class Routes {
  @Get('undecided')
  undecided(this: void): void {}

  @Get('contradictory')
  @Public()
  @Policy('placement:traits:list')
  contradictory(this: void): void {}

  @Get('public')
  @Public()
  public(this: void): void {}
}

const guard = new RouteGuard(
  createPolicyEnforcer({ enforceNewDefaults: false, enforceScope: true }),
  { exists: () => Promise.resolve(true) },
  { admit: () => true },
);

const contextOf = (method: keyof Routes): ExecutionContext =>
  ({
    getHandler: () => Routes.prototype[method],
    switchToHttp: () => ({ getRequest: () => ({}) as FastifyRequest }),
  }) as unknown as ExecutionContext;

it.each(['undecided', 'contradictory'] as const)(
  'a route without an access declaration admits no caller: %s',
  (name) => {
    expect(() => guard.canActivate(contextOf(name))).toThrow(`Route ${name} must declare`);
    expect(() => guard.canActivate(contextOf(name))).toThrow(`Route ${name} must declare`);
  },
);

it('a public route admits every caller', () => {
  expect(guard.canActivate(contextOf('public'))).toBe(true);
});
