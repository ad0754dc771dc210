// `berth trait list|create|delete|add|remove`: custom traits, and the traits of hosts.
import type { Schema } from '../../../client/src/routes.ts';
import { DISABLED_TRAIT } from '../../placement/domain/standard-traits';
import { nearestName } from '../../platform/values/nearest-name';
import { CommandFailed } from '../command-context';
import { providerNamed, unknownName } from './listed';
import type { Action, Printing } from './printing';
import { printListing } from './printing';
import type { ServiceClient } from './service-client';

type Traits = Schema<'Traits'>;

/** `name` is a part of the names, in any case. */
export const showTraits: Action<Printing & { readonly name?: string; readonly associated?: true }> = async (
  client,
  streams,
  options,
) => {
  const { name = '', associated } = options;
  const query = associated === true ? { associated: 'true' } : {};
  const { traits } = await client.get<Traits>('/traits', query);
  const found = traits.filter((trait) => trait.includes(name.toUpperCase()));
  printListing(streams, options, {
    document: found,
    columns: ['trait'],
    rows: found.map((trait) => ({ trait })),
    name: 'trait',
    empty: 'No trait matches.',
  });
};

const pathOf = (trait: string): string => `/traits/${encodeURIComponent(trait)}`;

export const createTrait: Action = async (client, { stdout }, _options, [trait = '']) => {
  await client.put(pathOf(trait));
  stdout(`Trait ${trait} exists.\n`);
};

export const deleteTrait: Action = async (client, { stdout }, _options, [trait = '']) => {
  await client.delete(pathOf(trait));
  stdout(`Trait ${trait} is deleted.\n`);
};

/**
 * Changes the root providers of the hosts. Changes nothing if the trait or a provider does not exist, or if the compute
 * service maintains the trait.
 */
export const changeTraits =
  (change: 'add' | 'remove'): Action =>
  async (client, { stdout }, _options, [trait = '', ...names]) => {
    const { traits } = await client.get<Traits>('/traits');
    if (!traits.includes(trait)) {
      const isCustom = nearestName(trait, traits) === undefined && /^custom_/i.test(trait);
      const name = trait.toUpperCase().replaceAll(/\W/g, '_');
      throw isCustom
        ? new CommandFailed(`Trait '${trait}' does not exist. Create it: berth trait create ${name}`)
        : unknownName('Trait', trait, traits, 'trait list');
    }
    const providers: Schema<'ResourceProvider'>[] = [];
    for (const name of names) providers.push(await providerNamed(client, name));
    for (const { uuid } of trait.startsWith('COMPUTE_') ? providers : [])
      await refuseOfService(client, change, trait, uuid);
    for (const { uuid, name } of providers) {
      const path = `/resource_providers/${uuid}/traits`;
      const before = await client.get<Schema<'ProviderTraits'>>(path);
      const others = before.traits.filter((each) => each !== trait);
      const after = change === 'add' ? [...others, trait] : others;
      const isChanged = after.length !== before.traits.length;
      if (isChanged) {
        await client.put(path, { resource_provider_generation: before.resource_provider_generation, traits: after });
      }
      const state = change === 'add' ? 'has' : 'does not have';
      stdout(`${name} ${isChanged ? 'now' : 'already'} ${state} ${trait}.\n`);
    }
  };

/** The status trait follows the service of the host, which also sets its other traits again with each report. */
async function refuseOfService(
  client: ServiceClient,
  change: 'add' | 'remove',
  trait: string,
  uuid: string,
): Promise<void> {
  const { host, service } = await client.get<{
    readonly host: { readonly name: string; readonly host: string | null };
    readonly service: object | null;
  }>(`/reports/hosts/${uuid}`);
  if (service === null) return;
  const name = host.host ?? host.name;
  if (trait === DISABLED_TRAIT) {
    const command = change === 'add' ? `berth disable ${name} --reason TEXT` : `berth enable ${name}`;
    throw new CommandFailed(`${trait} follows the compute service of ${name}. Use: ${command}`);
  }
  if (change === 'remove') {
    throw new CommandFailed(`${trait} is set by the compute service of ${name}, and again with each of its reports.`);
  }
}
