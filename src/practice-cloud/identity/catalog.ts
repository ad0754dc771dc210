// The service catalogue. Its URLs are those by which the client reaches this service.
import { Inject, Injectable } from '@nestjs/common';
import { BERTH_CONFIG } from '../../platform/config/config.module';
import type { RequestContext } from '../../platform/http/request-context';
import { COMPUTE_PATH } from '../compute/compute-links';
import { REGION } from '../facade-config';
import { publicUrl } from '../facade.decorators';
import type { FacadeConfig } from '../options';

const INTERFACES = ['public', 'internal', 'admin'] as const;

@Injectable()
export class Catalog {
  private readonly paths: Readonly<Record<string, string>>;

  constructor(@Inject(BERTH_CONFIG) { berth }: FacadeConfig) {
    this.paths = {
      placement: berth.url_prefix || '/',
      compute: COMPUTE_PATH,
      image: '/image',
      identity: '/identity',
    };
  }

  present(context: RequestContext): readonly object[] {
    return Object.entries(this.paths).map(([type, path]) => ({
      id: type,
      type,
      name: type,
      endpoints: INTERFACES.map((name) => ({
        id: `${type}-${name}`,
        interface: name,
        region: REGION,
        region_id: REGION,
        url: publicUrl(context, path),
      })),
    }));
  }
}
