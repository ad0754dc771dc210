// POST /console/login: passes a user name and a password to the Identity service and returns a token.
import { Inject, Post, UseGuards } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { BERTH_CONFIG } from '../platform/config/config.module';
import { LOGIN_LIMITS } from '../platform/config/limits/auth';
import type { Answer } from '../platform/http/answer';
import { ok } from '../platform/http/answer';
import { BodyLimit } from '../platform/http/body-limit';
import { SecretBody } from '../platform/http/dto-body.decorator';
import { json, Operation } from '../platform/http/operation.decorator';
import { reportedAddress } from '../platform/http/proxy-headers';
import { Audited, Public } from '../platform/http/route.decorators';
import { countedAddress } from './client-address';
import { Asked, ConsoleController } from './console-parts';
import { presentLogin } from './console.presenter';
import { CONSOLE_LOGIN } from './console.responses';
import { LoginOriginGuard } from './login-origin.guard';
import { LoginDto } from './login.schema';
import { LoginService } from './login.service';
import type { ConsoleConfig } from './options';

@ConsoleController()
export class LoginController {
  private readonly isBehindProxy: boolean;

  constructor(
    @Inject(BERTH_CONFIG) { oslo_middleware: proxies }: ConsoleConfig,
    private readonly logins: LoginService,
  ) {
    this.isBehindProxy = proxies.enable_proxy_headers_parsing;
  }

  @Post('login')
  @Operation(
    'logInToConsole',
    'Returns a project token for a user name and password of the Identity service.',
    json(CONSOLE_LOGIN),
  )
  @Public()
  @Audited('authenticate', 'console/login', ['username', 'user_domain', 'project', 'project_domain'])
  @UseGuards(LoginOriginGuard)
  @BodyLimit(LOGIN_LIMITS.bodyBytes)
  async login(@SecretBody(LoginDto) body: LoginDto, @Asked() { raw, berth }: FastifyRequest): Promise<Answer> {
    const { username, user_domain, project, project_domain } = body;
    berth.auditContext?.note({ requested: { username, user_domain, project, project_domain } });
    const address = reportedAddress(raw.headers, raw.socket.remoteAddress ?? '-', this.isBehindProxy);
    return ok(presentLogin(await this.logins.login(body, countedAddress(address))));
  }
}
