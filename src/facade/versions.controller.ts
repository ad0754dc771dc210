// The version documents of the Compute and the Image API, which the clients' discovery reads before anything else.
import { Get } from '@nestjs/common';
import { ok } from '../http/answer';
import type { Answer } from '../http/answer';
import type { RequestContext } from '../http/request-context';
import { Context, Public } from '../http/route.decorators';
import { COMPUTE_VERSION_RANGE } from './compute-version';
import { FacadeController, publicUrl } from './facade.decorators';

/** The newest minor version of the Image API whose requests the facade takes. */
const IMAGE_VERSION = 'v2.16';

const self = (href: string): readonly object[] => [{ rel: 'self', href }];

const computeVersion = (context: RequestContext): object => ({
  id: 'v2.1',
  status: 'CURRENT',
  ...COMPUTE_VERSION_RANGE,
  updated: '2013-07-23T11:33:21Z',
  links: self(publicUrl(context, '/compute/v2.1/')),
  'media-types': [{ base: 'application/json', type: 'application/vnd.openstack.compute+json;version=2.1' }],
});

@FacadeController('compute')
export class ComputeVersionsController {
  @Get()
  @Public()
  list(@Context() context: RequestContext): Answer {
    return ok({ versions: [computeVersion(context)] });
  }

  @Get('v2.1')
  @Public()
  show(@Context() context: RequestContext): Answer {
    return ok({ version: computeVersion(context) });
  }
}

@FacadeController('image')
export class ImageVersionsController {
  /** Whoever asks for no version is told to choose one. */
  @Get()
  @Public()
  choices(@Context() context: RequestContext): Answer {
    return { ...this.list(context), status: 300 };
  }

  @Get('versions')
  @Public()
  list(@Context() context: RequestContext): Answer {
    return ok({ versions: [{ id: IMAGE_VERSION, status: 'CURRENT', links: self(publicUrl(context, '/image/v2/')) }] });
  }
}
