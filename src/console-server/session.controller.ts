// The first requests of the console: the login methods, and the current caller.
import { Get, Inject } from '@nestjs/common';
import { BERTH_CONFIG } from '../platform/config/config.module';
import type { Answer } from '../platform/http/answer';
import { ok } from '../platform/http/answer';
import { json, Operation } from '../platform/http/operation.decorator';
import type { RequestContext } from '../platform/http/request-context';
import { Context, Policy, Public } from '../platform/http/route.decorators';
import { assert } from '../platform/values/assert';
import { ConsoleController, ConsoleParts, KEPT_NOWHERE } from './console-parts';
import { presentConfig, presentSession } from './console.presenter';
import { CONSOLE_CONFIG, CONSOLE_SESSION } from './console.responses';
import type { ConsoleConfig } from './options';

@ConsoleController()
export class SessionController {
  constructor(
    @Inject(BERTH_CONFIG) private readonly config: ConsoleConfig,
    private readonly parts: ConsoleParts,
  ) {}

  @Get('config.json')
  @Operation(
    'showConsoleConfig',
    'Returns the login method of the console and the URLs of the APIs.',
    json(CONSOLE_CONFIG),
  )
  @Public()
  show(): Answer {
    return ok(presentConfig(this.config, this.parts.built?.build ?? null), { headers: KEPT_NOWHERE });
  }

  @Get('session')
  @Operation(
    'showConsoleSession',
    'Returns the caller and the permissions that the policies grant.',
    json(CONSOLE_SESSION),
  )
  @Policy('berth:console:session')
  session(@Context() { principal }: RequestContext): Answer {
    assert(principal !== undefined, 'the session route requires a principal');
    return ok(presentSession(principal, this.parts.policies), { headers: KEPT_NOWHERE });
  }
}
