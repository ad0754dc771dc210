// The part of the Identity API that clients need for authentication: versions, tokens and the catalogue.
import { Delete, Get, Head, Headers, Post } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { noContent, ok } from '../../platform/http/answer';
import { TEXT } from '../../platform/http/answer-schemas';
import { NOTHING, Operation } from '../../platform/http/operation.decorator';
import { QueryParams } from '../../platform/http/query-params';
import type { RequestContext } from '../../platform/http/request-context';
import { Audited, Context, Policy, Public } from '../../platform/http/route.decorators';
import { DomainError, NotFound } from '../../platform/values/errors';
import { callerOf } from '../caller';
import { JsonDocument, PracticeController } from '../practice-cloud.decorators';
import { ANY_DOCUMENT, holding, listing } from '../practice-cloud.responses';
import { Catalog } from './catalog';
import type { LoginCredentials } from './credentials';
import { credentialsOf } from './credentials';
import { presentToken, presentVersion } from './identity.presenter';
import type { IssuedToken } from './token-issuer';
import { TokenIssuer } from './token-issuer';

const SUBJECT = { 'X-Subject-Token': 'The token that the request is about.' };
const CATALOG = { nocatalog: { ...TEXT, description: 'If it is there, the catalogue is left out.' } };

const VARY = { vary: 'X-Auth-Token' };

@PracticeController('identity')
export class IdentityController {
  constructor(
    private readonly issuer: TokenIssuer,
    private readonly catalog: Catalog,
  ) {}

  /** Lists the versions with status 300, for clients that request no version. */
  @Get()
  @Operation('chooseIdentityVersion', 'Lists the versions of the Identity API for requests without a version.', {
    300: holding('versions'),
  })
  @Public()
  versions(@Context() context: RequestContext): Answer {
    return { ...ok({ versions: { values: [presentVersion(context)] } }), status: 300 };
  }

  @Get('v3')
  @Operation('showIdentityVersion', 'Shows the version of the Identity API.', holding('version'))
  @Public()
  version(@Context() context: RequestContext): Answer {
    return ok({ version: presentVersion(context) });
  }

  @Post('v3/auth/tokens')
  @Operation(
    'createIdentityToken',
    'Returns a token for valid credentials.',
    { 201: holding('token') },
    { query: CATALOG, body: { type: 'object', properties: { auth: ANY_DOCUMENT }, required: ['auth'] } },
  )
  @Public()
  @Audited('authenticate', 'identity/token')
  async authenticate(
    @JsonDocument(credentialsOf) credentials: LoginCredentials,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    const nowMs = Date.now();
    const issued = await this.issuer.issue(credentials, nowMs);
    if (issued === undefined) {
      throw new DomainError('unauthenticated', 'The request you have made requires authentication.');
    }
    return { ...this.shown(issued, credentials.method, nowMs, context), status: 201 };
  }

  @Get('v3/auth/tokens')
  @Operation('showIdentityToken', 'Shows a token.', holding('token'), { query: CATALOG, headers: SUBJECT })
  @Policy('berth:practice_cloud:identity:token:show')
  async show(
    @Headers('x-subject-token') subject: string | undefined,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    const nowMs = Date.now();
    return this.shown(await this.known(subject, context, nowMs), 'token', nowMs, context);
  }

  @Head('v3/auth/tokens')
  @Operation('checkIdentityToken', 'Checks a token.', { 200: NOTHING }, { headers: SUBJECT })
  @Policy('berth:practice_cloud:identity:token:show')
  async check(
    @Headers('x-subject-token') subject: string | undefined,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    await this.known(subject, context, Date.now());
    return { status: 200, headers: VARY };
  }

  @Delete('v3/auth/tokens')
  @Operation('revokeIdentityToken', 'Revokes a token.', NOTHING, { headers: SUBJECT })
  @Policy('berth:practice_cloud:identity:token:revoke')
  @Audited('revoke', 'identity/token')
  async revoke(
    @Headers('x-subject-token') subject: string | undefined,
    @Context() context: RequestContext,
  ): Promise<Answer> {
    const nowMs = Date.now();
    const { token } = await this.known(subject, context, nowMs);
    await this.issuer.revoke(token, nowMs);
    return noContent({ headers: VARY });
  }

  @Get('v3/auth/catalog')
  @Operation('listIdentityCatalog', 'Lists the services and where they are.', listing('catalog'))
  @Policy('berth:practice_cloud:identity:catalog:show')
  services(@Context() context: RequestContext): Answer {
    return ok({ catalog: this.catalog.present(context) });
  }

  private shown(issued: IssuedToken, method: string, issuedAtMs: number, context: RequestContext): Answer {
    const isWanted = !QueryParams.parse(context.queryText).names.includes('nocatalog');
    const catalog = isWanted ? this.catalog.present(context) : undefined;
    return ok(presentToken(issued, { method, issuedAtMs }, catalog), {
      headers: { ...VARY, 'x-subject-token': issued.token },
    });
  }

  /** A token is visible to its user and to administrators. Other callers get not_found. */
  private async known(subject: string | undefined, context: RequestContext, nowMs: number): Promise<IssuedToken> {
    const issued = subject === undefined ? undefined : await this.issuer.show(subject, nowMs);
    if (issued === undefined) throw new NotFound('X-Subject-Token is not a valid token.');
    const { userId, isAdmin } = callerOf(context);
    if (isAdmin || issued.principal.userId === userId) return issued;
    throw new NotFound('X-Subject-Token is a token of another user.');
  }
}
