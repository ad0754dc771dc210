// Requests of nova for an instance of the flavor m1, and their answers.
import type { Json } from '../../src/nova/objects/captured.fixture';
import { bootSpec, imageMeta, novaObject } from '../../src/nova/objects/captured.fixture';
import type { Answer } from './conductor';

/** The flavor and the image of a request. `extra` changes the flavor. */
export const flavor = (extra: Json = {}): Json => ({
  flavor: novaObject('Flavor', '1.2', {
    id: 1,
    name: 'm1',
    memory_mb: 256,
    vcpus: 1,
    root_gb: 1,
    ephemeral_gb: 0,
    swap: 0,
    flavorid: 'm1',
    extra_specs: {},
    ...extra,
  }),
  image: imageMeta({}),
});

export const spec = (data: Json = {}): Json => bootSpec({ ...flavor(), ...data });

export const group = (
  uuid: string,
  policy: string,
  members: readonly string[],
  hosts: readonly string[] = [],
): Json => ({
  instance_group: novaObject('InstanceGroup', '1.11', { uuid, name: 'g', policy, members, hosts, _rules: {} }),
});

/** The chosen host of each instance, then its alternates. */
export const hostsOf = ({ result }: Answer): string[][] =>
  (result as Json[][]).map((selections) => selections.map((each: any) => each['nova_object.data'].service_host));

/** What the question finds within 20 s. */
export async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 400; tries += 1) {
    const found = await ask();
    if (found !== undefined) return found;
    await new Promise((resume) => setTimeout(resume, 50));
  }
  throw new Error('it did not happen');
}
