// The root document, which clients read to negotiate versions. Runs no statement.
import { Controller, Get } from '@nestjs/common';
import { ok } from '../../platform/http/answer';
import type { Answer } from '../../platform/http/answer';
import { Public } from '../../platform/http/route.decorators';
import { MICROVERSIONS } from '../microversions';
import { Operation, json } from '../../platform/http/operation.decorator';
import { VERSIONS } from './root.responses';

const DOCUMENT = JSON.stringify({
  versions: [{ id: 'v1.0', status: 'CURRENT', ...MICROVERSIONS.range, links: [{ rel: 'self', href: '' }] }],
});

@Controller()
export class RootController {
  @Get()
  @Operation('showVersions', 'Returns the supported microversions.', json(VERSIONS))
  @Public()
  root(): Answer {
    return ok(DOCUMENT, { lastModified: 'now' });
  }
}
