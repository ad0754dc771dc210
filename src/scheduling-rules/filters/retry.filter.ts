// RetryFilter: rejects hosts that an earlier attempt tried. Legacy, off by default.

import { defineFilter } from '../pipeline/define-filter';
import { shownList } from './shown-params';

export const retryFilter = defineFilter({
  name: 'RetryFilter',
  summary: 'Rejects hosts that were tried for this instance before.',
  rejections: { tried_before: 'attempt {attempt}: {host} was tried before, as were {tried}' },
  reads: ['retry'],
  applies: ({ retry }) => retry !== null,
  check: ({ host, node }, { retry }, { pass, reject }) => {
    const tried = retry?.hosts ?? [];
    if (!tried.some(([triedHost, triedNode]) => triedHost === host && triedNode === node)) return pass;
    return reject('tried_before', {
      host: `${host}/${node}`,
      attempt: retry?.numAttempts ?? 0,
      tried: shownList([
        `${host}/${node}`,
        ...tried.map((names) => names.join('/')).filter((name) => name !== `${host}/${node}`),
      ]),
    });
  },
});
