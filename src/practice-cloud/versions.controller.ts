// The version documents of the Compute and Image APIs, which clients read first for discovery.
import { Get } from '@nestjs/common';
import type { Answer } from '../platform/http/answer';
import { ok } from '../platform/http/answer';
import { Operation } from '../platform/http/operation.decorator';
import type { RequestContext } from '../platform/http/request-context';
import { Context, Public } from '../platform/http/route.decorators';
import { COMPUTE_VERSION_RANGE } from './compute-version';
import { COMPUTE_PATH } from './compute/compute-links';
import { PracticeController, selfLinks } from './practice-cloud.decorators';
import { holding, listing } from './practice-cloud.responses';

/** The newest minor version of the Image API that the practice cloud supports. */
const IMAGE_VERSION = 'v2.16';

const computeVersion = (context: RequestContext): object => ({
  id: 'v2.1',
  status: 'CURRENT',
  ...COMPUTE_VERSION_RANGE,
  updated: '2013-07-23T11:33:21Z',
  links: selfLinks(context, `${COMPUTE_PATH}/`),
  'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.compute+json;version=2.1' }],
});

@PracticeController('compute')
export class ComputeVersionsController {
  @Get()
  @Operation('listComputeVersions', 'Lists the versions of the Compute API.', listing('versions'))
  @Public()
  list(@Context() context: RequestContext): Answer {
    return ok({ versions: [computeVersion(context)] });
  }

  @Get('v2.1')
  @Operation('showComputeVersion', 'Shows the version of the Compute API.', holding('version'))
  @Public()
  show(@Context() context: RequestContext): Answer {
    return ok({ version: computeVersion(context) });
  }
}

@PracticeController('image')
export class ImageVersionsController {
  /** Lists the versions with status 300, for clients that request no version. */
  @Get()
  @Operation('choosePracticeImageVersion', 'Lists the versions of the Image API for requests without a version.', {
    300: listing('versions'),
  })
  @Public()
  choices(@Context() context: RequestContext): Answer {
    return { ...this.list(context), status: 300 };
  }

  @Get('versions')
  @Operation('listPracticeImageVersions', 'Lists the versions of the Image API.', listing('versions'))
  @Public()
  list(@Context() context: RequestContext): Answer {
    return ok({ versions: [{ id: IMAGE_VERSION, status: 'CURRENT', links: selfLinks(context, '/image/v2/') }] });
  }
}
