// The root document, which clients read to negotiate versions. Runs no statement.
import { Controller, Get } from '@nestjs/common';
import { ok } from '../http/answer';
import type { Answer } from '../http/answer';
import { Public } from '../http/route.decorators';
import { VERSION_RANGE } from '../microversion/api-version';
import { Operation, json } from '../http/operation.decorator';
import { VERSIONS } from './root.responses';

const DOCUMENT = JSON.stringify({
  versions: [{ id: 'v1.0', status: 'CURRENT', ...VERSION_RANGE, links: [{ rel: 'self', href: '' }] }],
});

@Controller()
export class RootController {
  @Get()
  @Operation('showVersions', 'Tells which microversions are spoken.', json(VERSIONS))
  @Public()
  root(): Answer {
    return ok(DOCUMENT, { lastModified: 'now' });
  }
}
