// The sentences for all reasons of the engine. All texts for users come from here.

import type { Rejection, RejectionParam, RejectionParams } from './trace';

type Sentence = (params: RejectionParams) => string;

const SENTENCES: Readonly<Record<string, Sentence>> = {
  'root.missing_trait': (p) => `the root provider lacks trait ${text(p['trait'])}`,
  'root.forbidden_trait': (p) =>
    p['disabled_reason'] === undefined
      ? `the root provider has trait ${text(p['trait'])}, which is forbidden`
      : `the compute service is disabled: ${text(p['disabled_reason'])}` +
        (typeof p['disabled_since'] === 'string' ? ` (since ${p['disabled_since']})` : ''),
  'in_tree.other_tree': () => 'another provider tree was asked for',
  'class.no_inventory': (p) => `no inventory of ${text(p['resource_classes'])}`,
  'class.not_on_one_provider': (p) => `no single provider has inventories of all of ${text(p['resource_classes'])}`,
  'sharing.not_connected': (p) =>
    `no inventory of ${text(p['resource_classes'])}, and no aggregate in common with ` +
    `${counted(p['sharing_providers'], 'sharing provider')} of it`,
  'sharing.not_in_tree': (p) =>
    `no inventory of ${text(p['resource_classes'])} in the tree asked for, ` +
    `only outside (${counted(p['sharing_providers'], 'sharing provider')})`,
  'room.not_enough_left': (p) =>
    `${text(p['resource_class'])}: ${text(p['used'])} used + ${text(p['asked'])} asked > ` +
    `${text(p['capacity'])} capacity${inBrackets(capacityOrigin(p))}${onProvider(p)}`,
  'room.below_min_unit': (p) =>
    `${text(p['resource_class'])}: ${text(p['asked'])} asked < min_unit ${text(p['min_unit'])}${onProvider(p)}`,
  'room.above_max_unit': (p) =>
    `${text(p['resource_class'])}: ${text(p['asked'])} asked > max_unit ${text(p['max_unit'])}${onProvider(p)}`,
  'room.no_multiple_of_step_size': (p) =>
    `${text(p['resource_class'])}: ${text(p['asked'])} asked is no multiple of step_size ` +
    `${text(p['step_size'])}${onProvider(p)}`,
  'room.not_on_one_provider': () => 'no single provider has room for everything that the group asks for',
  'traits.missing_trait': (p) =>
    p['provider'] === undefined
      ? `${those(p['providers'])} with room lacks ${traits(p['missing'] ?? p['required'])}`
      : `${text(p['provider_name'] ?? p['provider'])}, the nearest of ${text(p['providers'])} providers with room, ` +
        `lacks ${traits(p['missing'])}`,
  'traits.forbidden_trait': (p) =>
    isSeveral(p['present']) && p['providers'] !== 1
      ? `${those(p['providers'])} with room has one of the forbidden ${traits(p['present'])}`
      : `${those(p['providers'])} with room has ${traits(p['present'] ?? p['forbidden'])}, which is forbidden`,
  'traits.not_collectively_met': (p) =>
    isEmpty(p['missing'])
      ? `no combination of providers with room has all of ${traits(p['required'])}`
      : `the providers with room lack ${traits(p['missing'])}`,
  'aggregates.not_a_member': (p) => `no provider with room is in an aggregate of ${text(p['member_of'])}`,
  'aggregates.in_forbidden_aggregate': (p) => `in a forbidden aggregate (${text(p['aggregates'])})`,
  'aggregates.root_in_forbidden_aggregate': (p) =>
    `the root provider is in a forbidden aggregate (${text(p['aggregates'])})`,
  'group_policy.not_enough_different_providers': (p) =>
    `the groups ${text(p['groups'])} need a provider each, and there are not enough that fit`,
  'same_subtree.no_common_subtree': (p) =>
    `the groups ${text(p['same_subtree'])} find room, but not below one common provider`,
  'merged_capacity.sum_does_not_fit': (p) =>
    p['resource_class'] === undefined
      ? `each group fits alone, all together they do not (${text(p['resource_classes'])})`
      : Number(p['asked']) > Number(p['left'])
        ? `${text(p['resource_class'])}: ${text(p['asked'])} asked by all groups together do not fit into the ` +
          `${text(p['left'])} left`
        : `${text(p['resource_class'])}: ${text(p['asked'])} asked by all groups together cannot be split over the ` +
          `providers, which have ${text(p['left'])} left`,
  'combine.same_as_other_anchor': () => 'only shared resources would be used, and another root offers the same',
  'combine.needs_several_providers_of_one_tree': () => 'only several providers of the tree together have the room',
  'combine.rules_together': (p) => `each of ${text(p['rules'])} could be kept alone, all of them together cannot`,
  'combine.given_up': (p) =>
    `the search was given up after ${text(p['steps'])} steps: whether it fits was not found out`,
  'combine.nothing_asked': () => 'nothing was asked of it',
};

/** `stage.code` of every reason with a sentence. */
export const REJECTION_SENTENCES: readonly string[] = Object.keys(SENTENCES);

/** One sentence for an operator. */
export function renderRejection({ stage, code, group, params }: Omit<Rejection, 'root'>): string {
  const sentence = SENTENCES[`${stage}.${code}`]?.(params) ?? `${stage}: ${code}`;
  return group === null || group === '' ? sentence : `group ${group}: ${sentence}`;
}

/**
 * How the capacity comes about: `(8 total - 2 reserved) * ratio 4`. Empty if it is the total, or if the numbers are
 * not those of one inventory.
 */
export function capacityOrigin({ total, reserved, allocation_ratio: ratio }: RejectionParams): string {
  if (typeof total !== 'number' || typeof reserved !== 'number' || typeof ratio !== 'number') return '';
  const unreserved = reserved === 0 ? `${total} total` : `${total} total - ${reserved} reserved`;
  if (ratio === 1) return reserved === 0 ? '' : unreserved;
  return `${reserved === 0 ? unreserved : `(${unreserved})`} * ratio ${Number(ratio.toPrecision(6))}`;
}

const inBrackets = (words: string): string => (words === '' ? '' : ` (${words})`);

function text(value: RejectionParam | undefined): string {
  return Array.isArray(value) ? value.join(', ') : String(value ?? '?');
}

function counted(value: RejectionParam | undefined, what: string): string {
  return `${text(value)} ${what}${value === 1 ? '' : 's'}`;
}

function traits(value: RejectionParam | undefined): string {
  return `${isSeveral(value) ? 'traits' : 'trait'} ${text(value)}`;
}

const those = (providers: RejectionParam | undefined): string =>
  providers === 1 ? 'the provider' : `each of the ${text(providers)} providers`;

/** The numbers belong to the nearest provider; a root without other providers needs no name. */
function onProvider({ providers, provider_name: name, is_root: isRoot }: RejectionParams): string {
  if (providers === 1) return isRoot === true || name === undefined ? '' : ` on ${text(name)}`;
  return ` on ${text(name)}, the nearest of ${text(providers)} providers`;
}

const isSeveral = (value: RejectionParam | undefined): boolean => Array.isArray(value) && value.length > 1;

const isEmpty = (value: RejectionParam | undefined): boolean => Array.isArray(value) && value.length === 0;
