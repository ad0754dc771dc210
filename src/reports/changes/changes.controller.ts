// Streams changes until the client disconnects.
import { Controller, Get } from '@nestjs/common';
import { knownQuery } from '../../compute/registry-page';
import type { Answer } from '../../platform/http/answer';
import { TEXT } from '../../platform/http/answer-schemas';
import { ClientFunction, Operation, textAnswer } from '../../platform/http/operation.decorator';
import type { RequestContext } from '../../platform/http/request-context';
import { Context, Policy } from '../../platform/http/route.decorators';
import { ChangeFeed } from './change-feed';

const HEADERS = {
  'cache-control': 'no-store',
  // Without this header some proxies buffer the response.
  'x-accel-buffering': 'no',
};

@Controller('reports')
export class ChangesController {
  constructor(private readonly feed: ChangeFeed) {}

  @Get('changes')
  @Operation(
    'streamChanges',
    'Streams changes after a position as server-sent events.',
    textAnswer('text/event-stream'),
    { query: { position: TEXT } },
  )
  @ClientFunction('reports.changes', { isHandWritten: true })
  @Policy('berth:reports:changes')
  async changes(@Context() request: RequestContext): Promise<Answer> {
    const position = knownQuery(request.queryText, ['position']).last('position');
    const watcher = { name: nameOf(request), expiresAtMs: request.principal?.identity?.expiresAt ?? null, request };
    const body = await this.feed.open(watcher, position);
    return { status: 200, contentType: 'text/event-stream', headers: HEADERS, body };
  }
}

/** The user, or the address of a caller without a user. */
function nameOf({ principal, remoteAddress }: RequestContext): string {
  const userId = principal?.userId ?? '';
  return userId === '' ? `address ${remoteAddress}` : `user ${userId}`;
}
