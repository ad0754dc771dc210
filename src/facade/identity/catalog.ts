// The catalogue: where the services are, as the client sees this one.
import { Inject, Injectable } from '@nestjs/common';
import type { BerthConfig } from '../../config/berth-config';
import { BERTH_CONFIG } from '../../config/config.module';
import type { RequestContext } from '../../http/request-context';
import { publicUrl } from '../facade.decorators';

/** There is one region; clients that ask for none get it. */
const REGION = 'RegionOne';
const INTERFACES = ['public', 'internal', 'admin'] as const;

@Injectable()
export class Catalog {
  private readonly paths: Readonly<Record<string, string>>;

  constructor(@Inject(BERTH_CONFIG) { berth }: BerthConfig) {
    const prefix = berth.url_prefix.replace(/\/+$/, '');
    this.paths = {
      placement: prefix === '' ? '/' : prefix,
      compute: '/compute/v2.1',
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
