// Checks a Placement service elsewhere: login, endpoint, version, permissions, and the providers of nova's hosts.

import { StartRefused } from '../../platform/operations/start-refusal';
import { Unavailable } from '../../platform/values/errors';
import type { RemotePlacementSettings } from '../../scheduler/remote-placement/remote-placement';
import { RemotePlacement } from '../../scheduler/remote-placement/remote-placement';
import type { ServiceFacts } from '../../scheduling-rules/host-state/host-facts';
import type { Finding } from './finding';
import { bounded, failed, ok, warning } from './finding';

const SUBJECT = 'Placement';

export async function checkPlacement(
  settings: RemotePlacementSettings,
  services: readonly ServiceFacts[],
): Promise<readonly Finding[]> {
  const placement = new RemotePlacement(settings);
  try {
    const { endpoint, newest } = await placement.start();
    const roots = await rootsOf(placement);
    const missing = services.flatMap(({ host, hosts }) =>
      hosts.flatMap(({ uuid }) =>
        uuid === null || roots.has(uuid)
          ? []
          : warning(SUBJECT, `Host ${host} has no resource provider ${uuid}, so it is not found.`),
      ),
    );
    return [ok(SUBJECT, `${endpoint} answers, newest microversion ${newest}.`), ...bounded(missing)];
  } catch (error) {
    if (error instanceof StartRefused || error instanceof Unavailable) return [failed(SUBJECT, error.message)];
    throw error;
  } finally {
    await placement.onApplicationShutdown();
  }
}

async function rootsOf(placement: RemotePlacement): Promise<ReadonlySet<unknown>> {
  const { json } = await placement.ask({ method: 'GET', path: '/resource_providers' });
  const providers: readonly { readonly uuid?: unknown }[] = Array.isArray(json['resource_providers'])
    ? json['resource_providers']
    : [];
  return new Set(providers.map(({ uuid }) => uuid));
}
