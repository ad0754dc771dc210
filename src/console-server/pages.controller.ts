// The console page and its files. Every path that is not a file returns the page, whose script reads the URL.
import { Get, Head } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Answer } from '../platform/http/answer';
import { NOTHING, Operation, textAnswer } from '../platform/http/operation.decorator';
import type { RequestContext } from '../platform/http/request-context';
import { Context, Public } from '../platform/http/route.decorators';
import { NotFound } from '../platform/values/errors';
import type { BuiltFile } from './built-console';
import { ASSETS, FILE_TYPES, formFor } from './built-console';
import { FILE_HEADERS, filledPage } from './console-page';
import { Asked, ConsoleController, ConsoleParts } from './console-parts';

const PAGE_TYPE = 'text/html; charset=utf-8';
const START = '/console/';

const NOT_BUILT: Answer = {
  status: 404,
  contentType: 'text/plain; charset=utf-8',
  headers: { ...FILE_HEADERS, 'cache-control': 'no-store' },
  body:
    'The console was not built with this service. "npm run build" builds it, and it is there when the service starts ' +
    'again. Everything else is served.\n',
};

const answering = (id: string, summary: string, ...types: readonly string[]): MethodDecorator =>
  Operation(id, summary, textAnswer(...types));

@ConsoleController()
export class PagesController {
  constructor(private readonly parts: ConsoleParts) {}

  @Get()
  @answering('showConsole', 'Shows the operators’ console.', PAGE_TYPE)
  @Public()
  page(@Context() context: RequestContext): Answer {
    const { built } = this.parts;
    if (built === undefined) return NOT_BUILT;
    const { text, headers } = filledPage(built, `${context.mountPrefix}/console`);
    return { status: 200, contentType: PAGE_TYPE, headers, body: text };
  }

  @Head()
  @Operation('checkConsole', 'Returns the headers of the page.', { 200: NOTHING })
  @Public()
  pageHead(@Context() context: RequestContext): Answer {
    return this.page(context);
  }

  @Get('login')
  @answering('showConsoleLogin', 'Shows the page on which people log in.', PAGE_TYPE)
  @Public()
  loginPage(@Context() context: RequestContext): Answer {
    return this.page(context);
  }

  @Get('*')
  @Operation('showConsolePage', 'Shows a page of the console, or serves a file of it.', {
    200: textAnswer(PAGE_TYPE, ...FILE_TYPES),
    304: NOTHING,
  })
  @Public()
  below(@Asked() { berth: context, headers }: FastifyRequest): Answer {
    const { built } = this.parts;
    const name = context.path.slice(START.length);
    const file = built?.files.get(name);
    if (file !== undefined) return fileAnswer(file, headers);
    // A missing asset belongs to another build. Returning the page instead would confuse the browser.
    if (built !== undefined && name.startsWith(ASSETS)) throw new NotFound('The console has no such file.');
    return this.page(context);
  }

  @Head('*')
  @Operation('checkConsolePage', 'Returns the headers of a page or a file of the console.', {
    200: NOTHING,
    304: NOTHING,
  })
  @Public()
  belowHead(@Asked() request: FastifyRequest): Answer {
    return this.below(request);
  }
}

function fileAnswer(file: BuiltFile, headers: FastifyRequest['headers']): Answer {
  const { encoding, bytes, etag } = formFor(file, textOf(headers['accept-encoding']));
  const responseHeaders = {
    ...FILE_HEADERS,
    etag,
    vary: 'Accept-Encoding',
    'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  if (isKnown(etag, headers['if-none-match'])) return { status: 304, headers: responseHeaders };
  return {
    status: 200,
    contentType: file.contentType,
    headers: { ...responseHeaders, ...(encoding !== undefined && { 'content-encoding': encoding }) },
    body: bytes,
  };
}

const textOf = (header: string | string[] | undefined): string | undefined =>
  typeof header === 'string' ? header : header?.join(',');

/** Whether the client already has this ETag, also if a proxy has marked it as weak. */
const isKnown = (etag: string, known: string | undefined): boolean =>
  known !== undefined && known.split(',').some((each) => ['*', etag].includes(each.trim().replace(/^W\//, '')));
