// The root document, which clients read to negotiate versions. Runs no statement.
import { Controller, Get } from '@nestjs/common';
import type { Answer } from '../../platform/http/answer';
import { ok } from '../../platform/http/answer';
import { json, Operation } from '../../platform/http/operation.decorator';
import { Public } from '../../platform/http/route.decorators';
import { MICROVERSIONS } from '../microversions';
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
