// The API document and a page to view it. Outside of the API prefix; requests from this machine need no authentication.
import { Controller, Get, Param } from '@nestjs/common';
import type { Answer } from '../http/answer';
import { ANYTHING, byName, TEXT } from '../http/answer-schemas';
import { json, Operation, textAnswer } from '../http/operation.decorator';
import { QueryParams } from '../http/query-params';
import type { RequestContext } from '../http/request-context';
import { Context, EveryRoute, Policy } from '../http/route.decorators';
import type { ApiVersion } from '../microversion/api-version';
import { NotFound } from '../values/errors';
import { queryFault, shown } from '../values/field-fault';
import { ApiDocuments } from './documents';
import { CODE_TYPE, PAGE_TYPE, STYLE_TYPE, VIEWER_HEADERS, VIEWER_PAGE, viewerFile } from './viewer';

const PARAMETERS = {
  microversion: { ...TEXT, description: 'As `latest`, which it is unless given, or as in the header.' },
};

@Controller('docs')
@EveryRoute(Policy('berth:operations:docs', { isFreeOnLoopback: true }))
export class OpenApiController {
  constructor(private readonly documents: ApiDocuments) {}

  @Get()
  @Operation('showDocs', 'Shows the page on which the API document is read.', textAnswer(PAGE_TYPE), {
    query: PARAMETERS,
  })
  page(@Context() { queryText }: RequestContext): Answer {
    this.versionOf(queryText);
    return { status: 200, contentType: PAGE_TYPE, headers: VIEWER_HEADERS, body: VIEWER_PAGE };
  }

  @Get('openapi.json')
  @Operation('showApiDocument', 'Shows the API document of one version.', json(byName(ANYTHING)), { query: PARAMETERS })
  async document(@Context() caller: RequestContext): Promise<Answer> {
    const document = await this.documents.textOf(this.versionOf(caller.queryText), caller);
    return { status: 200, headers: VIEWER_HEADERS, body: document };
  }

  @Get(':file')
  @Operation('showDocsFile', 'Serves a file of the page.', textAnswer(CODE_TYPE, STYLE_TYPE))
  async file(@Param('file') name: string): Promise<Answer> {
    const found = await viewerFile(name);
    if (found === undefined) throw new NotFound(`There is no file ${name} here.`);
    return { status: 200, contentType: found.contentType, headers: VIEWER_HEADERS, body: found.bytes };
  }

  /** The version that the query names. Throws InvalidInput. */
  private versionOf(queryText: string): ApiVersion {
    const { microversions } = this.documents.settings;
    const query = QueryParams.parse(queryText);
    const unknown = query.names.find((name) => !Object.hasOwn(PARAMETERS, name));
    if (unknown !== undefined) throw queryFault(unknown, 'is no query parameter here');
    const requested = query.last('microversion') ?? 'latest';
    const found = requested === 'latest' ? microversions.newest : microversions.find(requested);
    if (found !== undefined) return found;
    const { min_version: first, max_version: last } = microversions.range;
    throw queryFault('microversion', `must be one from ${first} to ${last}, or latest, not '${shown(requested)}'`);
  }
}
