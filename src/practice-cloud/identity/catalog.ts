// The service catalogue. Its URLs are those by which the client reaches this service.
import { Inject, Injectable } from '@nestjs/common';
import { BERTH_CONFIG } from '../../platform/config/config.module';
import type { RequestContext } from '../../platform/http/request-context';
import { COMPUTE_PATH } from '../compute/compute-links';
import type { PracticeCloudConfig } from '../options';
import { REGION } from '../practice-cloud-config';
import { publicUrl } from '../practice-cloud.decorators';

const INTERFACES = ['public', 'internal', 'admin'] as const;

@Injectable()
export class Catalog {
  /** Types of services, each with its name and path. */
  private readonly services: Readonly<Record<string, readonly [name: string, path: string]>>;

  constructor(@Inject(BERTH_CONFIG) { berth }: PracticeCloudConfig) {
    this.services = {
      placement: ['placement', berth.url_prefix || '/'],
      compute: ['nova', COMPUTE_PATH],
      image: ['glance', '/image'],
      network: ['neutron', '/network'],
      identity: ['keystone', '/identity'],
    };
  }

  present(context: RequestContext): readonly object[] {
    return Object.entries(this.services).map(([type, [name, path]]) => ({
      id: type,
      type,
      name,
      endpoints: INTERFACES.map((each) => ({
        id: `${type}-${each}`,
        interface: each,
        region: REGION,
        region_id: REGION,
        url: publicUrl(context, path),
      })),
    }));
  }
}
