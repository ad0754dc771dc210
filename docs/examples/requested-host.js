// A plug-in with one filter. It accepts only the hosts that the scheduler hint `requested_host` names.
'use strict';

const requestedHostFilter = {
  name: 'RequestedHostFilter',
  summary: 'Rejects hosts that the hint requested_host does not name.',
  options: {
    requested_host_ignores_case: {
      kind: 'boolean',
      default: false,
      help: 'RequestedHostFilter: compare names of hosts ignoring case.',
    },
  },
  rejections: { not_requested: 'the hint requested_host names {wanted}, not {host}' },
  reads: ['scheduler_hints.requested_host'],
  once: true,
  applies: ({ schedulerHints }) => (schedulerHints.requested_host ?? []).length > 0,
  check({ host }, { schedulerHints }, { options, pass, reject }) {
    const spelling = (name) => (options.requested_host_ignores_case ? name.toLowerCase() : name);
    const wanted = schedulerHints.requested_host;
    return wanted.map(spelling).includes(spelling(host)) ? pass : reject('not_requested', { wanted, host });
  },
};

module.exports = { filters: [requestedHostFilter] };
