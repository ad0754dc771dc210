import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import { Controller, Delete, Get, Module, Put } from '@nestjs/common';
import { ANY_SUCCESS, declaredRoutes, refuseUndeclared } from './declared-routes';
import { NOTHING, Operation } from './operation.decorator';
import { Audited, Policy, Public, Weighed } from './route.decorators';

@Controller('things/:name')
class ThingsController {
  @Delete()
  @Operation('deleteThing', 'Deletes a thing.', NOTHING)
  @Policy('placement:traits:delete')
  @Audited('delete', 'things/thing')
  remove(): void {}

  @Get('of-others')
  @Public()
  @Weighed()
  others(): void {}
}

@Controller('unguarded')
class UnguardedController {
  @Get()
  undecided(): void {}

  @Put()
  @Public()
  @Policy('placement:traits:list')
  contradictory(): void {}
}

class MoreController extends ThingsController {
  @Put()
  @Public()
  put(): void {}
}

@Module({ controllers: [ThingsController] })
class InnerModule {}

@Module({ imports: [InnerModule] })
class OuterModule {}

const routesOf = (...controllers: Type<object>[]): ReturnType<typeof declaredRoutes> =>
  declaredRoutes({ module: OuterModule, imports: [{ module: InnerModule }], controllers }, []);

it('finds the routes of modules inside modules, each once, by path and method', () => {
  const found = routesOf().map(({ method, path, policy, isWeighed }) => [method, path, policy, isWeighed]);
  expect(found).toEqual([
    ['DELETE', '/things/{name}', 'placement:traits:delete', false],
    ['GET', '/things/{name}/of-others', undefined, true],
  ]);
});

it('finds those that a controller inherits', () => {
  Controller('more')(MoreController);
  const found = routesOf(MoreController).map(({ method, path }) => `${method} ${path}`);
  expect(found).toEqual([
    'PUT /more',
    'DELETE /more',
    'GET /more/of-others',
    'DELETE /things/{name}',
    'GET /things/{name}/of-others',
  ]);
});

it('calls a route that says nothing of itself by its method and path', () => {
  const [deleted, others] = routesOf();
  expect(deleted?.operation.id).toBe('deleteThing');
  expect(others?.operation.id).toBe('getThingsNameOfOthers');
  expect(others?.operation.answers).toEqual({ [ANY_SUCCESS]: NOTHING });
});

it('refuses routes that do not declare who may call them or whether they are audited', () => {
  expect(() => refuseUndeclared(routesOf())).not.toThrow();
  expect(() => refuseUndeclared(routesOf(UnguardedController))).toThrow(
    'Route GET /unguarded must declare either a policy or @Public().\n' +
      'Route PUT /unguarded must declare either a policy or @Public().\n' +
      'Route PUT /unguarded must declare either @Audited() or @ChangesNothing().',
  );
});
