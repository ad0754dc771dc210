import { isVersionRefusal } from '../platform/http/mounted-api';
import { negotiateCompute } from './compute-version';

const outcomeOf = (headers: Readonly<Record<string, string>>): string => {
  const outcome = negotiateCompute(headers);
  return isVersionRefusal(outcome) ? outcome.kind : outcome.text;
};

const NEW = 'openstack-api-version';
const OLD = 'x-openstack-nova-api-version';

it.each<readonly [string, Readonly<Record<string, string>>, string]>([
  ['no header is the oldest', {}, '2.1'],
  ['the new header counts', { [NEW]: 'compute 2.53' }, '2.53'],
  ['the old header counts', { [OLD]: '2.53' }, '2.53'],
  ['the new header beats the old', { [NEW]: 'compute 2.60', [OLD]: '2.53' }, '2.60'],
  ['one of several services is ours', { [NEW]: 'placement 1.6, compute 2.53' }, '2.53'],
  ['another service is not ours', { [NEW]: 'placement 1.6' }, '2.1'],
  ['another service leaves the old header in force', { [NEW]: 'placement 1.6', [OLD]: '2.20' }, '2.20'],
  ['the newest by name', { [NEW]: 'compute latest' }, '2.96'],
  ['the newest by number', { [OLD]: '2.96' }, '2.96'],
  ['one too new', { [OLD]: '2.97' }, 'unacceptable'],
  ['one too old', { [NEW]: 'compute 2.0' }, 'unacceptable'],
  ['another major version', { [NEW]: 'compute 3.1' }, 'unacceptable'],
  ['no version', { [NEW]: 'compute two' }, 'malformed'],
  ['an empty old header', { [OLD]: '' }, 'malformed'],
])('%s', (_law, headers, expected) => expect(outcomeOf(headers)).toBe(expected));
