// Prints a decision document in plain sentences: the selected hosts, and the rejected hosts grouped by reason.
import { bold, few, say, table } from './terminal.mjs';

/** One row per instance: its host, weight and alternates. */
export function showSelections(labels, selections) {
  table(
    selections.map(({ selected, alternates }, at) => [
      labels[at],
      '→',
      selected.host,
      selected.availability_zone,
      `weight ${selected.weight.toFixed(2)}`,
      alternates.length === 0 ? '' : `or ${alternates.map(({ host }) => host).join(', ')}`,
    ]),
  );
}

/** The resources that each provider gives to an instance. */
export function showClaim({ selected }, nameOf) {
  const given = Object.entries(selected.allocation_request.allocations).map(([uuid, { resources }]) => [
    nameOf(uuid),
    Object.entries(resources)
      .map(([name, amount]) => `${amount} ${name}`)
      .join(', '),
  ]);
  say('  It takes:');
  table(given, '    ');
}

/** All rejected hosts, grouped by reason, the largest group first. */
export function showRejections({ placement, passes }) {
  const fell = [
    ...(placement?.rejections?.hosts ?? []),
    ...(passes[0]?.stages ?? []).flatMap(({ name, rejections }) =>
      rejections.hosts.map((rejection) => ({ ...rejection, stage: name })),
    ),
  ];
  const groups = new Map();
  for (const rejection of fell) {
    const key = rejection.message.replace(/\(.*?\)|\d+/g, '');
    groups.set(key, [...(groups.get(key) ?? []), rejection]);
  }
  if (groups.size === 0) return;
  say('  Why not the others:');
  const largestFirst = [...groups.values()].sort((one, other) => other.length - one.length);
  for (const group of largestFirst) {
    const messages = new Set(group.map(({ message }) => message));
    const [{ message }] = group;
    say(`    ${String(group.length).padStart(2)}  ${messages.size === 1 ? message : `${message}, or the like`}`);
    say(`        ${few(group.map(({ host }) => host))}`);
  }
}

/** Why a request was refused, in the words of the summary. */
export function showRefusal({ code, decision }) {
  say(`  Refused, ${bold(code)}. To a tenant: "${decision.summary.user_message}"`);
  const { nearest } = decision.summary;
  if (nearest.length > 0) say('  Nearest hosts:');
  for (const { text } of nearest) say(`    ${text}`);
}
