// What a new plan asks: the fields of each goal, by their names in the address and in the request.
import type { Body } from '@berth/client';

type PlanBody = Body<'/scheduler/plans', 'post'>;

const HOSTS = ['hosts', 'host_aggregates', 'availability_zones'];
const GOAL_FIELDS = {
  drain: HOSTS,
  waves: [...HOSTS, 'at_a_time'],
  room: ['flavor', 'count'],
  balance: ['resource_classes', 'over'],
  pack: ['flavor'],
};
export const GOALS = Object.keys(GOAL_FIELDS) as PlanBody['goal'][];
/** Fields with one value; the others have lists. */
export const NAMES = ['flavor', 'over'];
export const NUMBERS = ['count', 'max_moves', 'at_a_time'];

const COMMON = ['max_moves', 'stay.hosts', 'stay.instances', 'stay.projects'];

export const fieldsOf = (goal: PlanBody['goal']): string[] => [...GOAL_FIELDS[goal], ...COMMON];

/** For example `Host aggregates`, `Stay: hosts`. */
export const labelOf = (field: string): string =>
  `${field.slice(0, 1).toUpperCase()}${field.slice(1).replace('.', ': ').replaceAll('_', ' ')}`;

/** Without the fields of other goals. */
export function bodyOf(goal: PlanBody['goal'], query: string): PlanBody {
  const params = new URLSearchParams(query);
  const body: Record<string, unknown> = { goal };
  for (const field of fieldsOf(goal).filter((each) => params.has(each))) {
    const [name = '', part = ''] = field.split('.');
    const [first, list] = [params.get(field), params.getAll(field)];
    const value = NUMBERS.includes(field) ? Number(first) : NAMES.includes(field) ? first : list;
    body[name] = part === '' ? value : { ...(body[name] as object | undefined), [part]: value };
  }
  return body as PlanBody;
}
