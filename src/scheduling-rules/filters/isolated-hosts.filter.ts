// IsolatedHostsFilter: isolated images run on isolated hosts only and, by default, isolated hosts run those images
// only.

import { boolean, list } from '../../platform/values/options';
import { defineFilter } from '../pipeline/define-filter';

export const isolatedHostsFilter = defineFilter({
  name: 'IsolatedHostsFilter',
  summary: 'Keeps isolated images on isolated hosts and, by default, other images off them.',
  options: {
    isolated_hosts: list([], 'Names of isolated hosts.'),
    isolated_images: list([], 'Ids of isolated images.'),
    restrict_isolated_hosts_to_isolated_images: boolean(true, 'Isolated hosts run isolated images only.'),
  },
  rejections: {
    isolated_host: 'host {host} is isolated and runs isolated images only; image {image} is none of them',
    isolated_image: 'image {image} is isolated; host {host} is none of the isolated hosts',
  },
  once: true,
  rebuild: true,
  reads: ['image.id'],
  applies: (_spec, { isolated_hosts: hosts, isolated_images: images }) => hosts.length > 0 || images.length > 0,
  check: ({ host }, { image }, { options, pass, reject }) => {
    const id = image?.id ?? null;
    const isImageIsolated = id !== null && options.isolated_images.includes(id);
    const isHostIsolated = options.isolated_hosts.includes(host);
    const restricted = options.restrict_isolated_hosts_to_isolated_images;
    const params = {
      host,
      image: id ?? 'without an id',
      host_isolated: isHostIsolated,
      image_isolated: isImageIsolated,
      restricted,
    };
    if (isImageIsolated && !isHostIsolated) return reject('isolated_image', params);
    if (isHostIsolated && !isImageIsolated && restricted) return reject('isolated_host', params);
    return pass;
  },
});
