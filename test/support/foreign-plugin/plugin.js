// A plug-in as a site would write it: plain objects, no import from the product. `[berth] plugins` names it. The filter
// obeys a hint that names racks. The weigher prefers short host names. The prefilter keeps projects whose id starts
// with `gpu-` on hosts with a trait, and refuses closed projects.

'use strict';

const rackFilter = {
  name: 'RackFilter',
  summary: 'Rejects hosts outside of the rack that the hint rack names.',
  options: { rack_separator: { kind: 'text', default: '-', help: 'RackFilter: what ends the rack in a host name.' } },
  rejections: { wrong_rack: 'host is in rack {actual}; the request wants {wanted}' },
  reads: ['scheduler_hints.rack'],
  check(host, spec, { options, pass, reject }) {
    const wanted = spec.schedulerHints.rack?.[0];
    const actual = host.host.split(options.rack_separator)[0];
    return wanted === undefined || wanted === actual ? pass : reject('wrong_rack', { actual, wanted });
  },
};

const shortNameWeigher = {
  name: 'ShortNameWeigher',
  summary: 'Prefers hosts with short names.',
  options: {
    short_name_weight_multiplier: { kind: 'number', default: 10, help: 'Multiplier of ShortNameWeigher.' },
  },
  multiplier: (options) => options.short_name_weight_multiplier,
  weigh: (host) => -host.host.length,
};

const projectPrefilter = {
  name: 'GpuProjectPrefilter',
  summary: 'Keeps GPU projects on hosts with CUSTOM_GPU_ROOM; refuses closed projects.',
  refusals: { closed: 'project {project} is closed' },
  apply(spec, { add, nothing, refuse }) {
    if (spec.projectId === 'closed') return refuse('closed', { project: spec.projectId });
    if (!spec.projectId.startsWith('gpu-')) return nothing('no GPU project');
    return add({ rootRequired: ['CUSTOM_GPU_ROOM'] }, `project ${spec.projectId}`);
  },
};

module.exports = { filters: [rackFilter], weighers: [shortNameWeigher], prefilters: [projectPrefilter] };
