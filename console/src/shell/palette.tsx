// The command palette: finds pages and their tabs by name or question; hosts, instances, flavors, host aggregates, zones
// and traits by any part of their names; and decisions by instance or request id.
import { useHotkeys, useThrottledValue } from '@mantine/hooks';
import type { SpotlightActionData } from '@mantine/spotlight';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { memo, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { parseSearch } from '../pages/decisions/decision-list';
import { PAGES } from '../pages/pages';
import { REGISTRIES } from '../pages/registries/registries';
import { useAnswer } from '../service/questions';
import { useSession } from '../session/session';
import { IconBox, IconBuildingWarehouse, IconGavel, IconMap2, IconSearch, IconServer2, IconTags } from '../shown/icons';
import { useNamed } from './use-named';

const HOSTS_OFFERED = 8;
const DECISIONS_OFFERED = 4;
const INSTANCES_OFFERED = 6;

const KINDS = {
  flavor: { description: 'Flavor: where it fits', Icon: IconMap2 },
  aggregate: { description: 'Host aggregate: its hosts', Icon: IconBuildingWarehouse },
  zone: { description: 'Availability zone: its hosts', Icon: IconBuildingWarehouse },
  trait: { description: 'Trait: hosts that have it', Icon: IconTags },
} as const;
const ASKED_EVERY_MS = 150;

export const Palette = memo(function Palette() {
  const navigate = useNavigate();
  const { may } = useSession();
  const [typed, setTyped] = useState('');
  // Works inside input fields too; the `/` shortcut does not.
  useHotkeys([['mod+K', spotlight.open]], []);
  const name = useThrottledValue(typed.trim(), ASKED_EVERY_MS);
  const found = useAnswer(
    'hosts',
    ['palette', name],
    ({ reports }, signal) => reports.hosts.list({ name, limit: HOSTS_OFFERED }, { signal }),
    { enabled: name.length > 1 && may('berth:reports:hosts') },
  );
  const searched = parseSearch(name);
  const instance = searched?.kind === 'instance' ? searched.uuid : '';
  const decided = useAnswer(
    'decisions',
    ['palette', instance],
    ({ scheduler }, signal) => scheduler.scheduler.decisions.list({ instance, limit: DECISIONS_OFFERED }, { signal }),
    { enabled: instance !== '' && may('berth:scheduler:decisions:list'), keepsPrevious: false },
  );
  const placed = useAnswer(
    'decisions',
    ['palette instances', name],
    ({ reports }, signal) => reports.instances.list({ search: name, limit: INSTANCES_OFFERED }, { signal }),
    { enabled: name.length > 1 && may('berth:reports:instances') },
  );
  const named = useNamed(name);
  const pages: SpotlightActionData[] = PAGES.flatMap(({ path, shown }) => {
    if (shown === undefined || !shown.rules.some(may)) return [];
    return [
      {
        id: path,
        label: shown.name,
        description: shown.question,
        leftSection: <shown.icon size={20} strokeWidth={1.6} aria-hidden />,
        onClick: () => void navigate(path.replace(/\/:.*$/, '')),
      },
    ];
  });
  const registries: SpotlightActionData[] = REGISTRIES.filter(({ rule }) => may(rule)).map(({ key, name: label }) => ({
    id: `registry ${key}`,
    label,
    description: 'Configuration',
    leftSection: <IconBuildingWarehouse size={20} strokeWidth={1.6} aria-hidden />,
    onClick: () => void navigate(`/registries/${key}`),
  }));
  const hosts: SpotlightActionData[] = (name.length > 1 ? (found.data?.hosts ?? []) : []).map((host) => ({
    id: host.uuid,
    label: host.name,
    description: [host.status, host.availability_zone ?? 'no zone'].join(', '),
    keywords: [typed],
    leftSection: <IconServer2 size={20} strokeWidth={1.6} aria-hidden />,
    onClick: () => void navigate(`/hosts/${host.uuid}`),
  }));
  const decision = (id: string, description: string): SpotlightActionData => ({
    id,
    label: `Decision ${id}`,
    description,
    keywords: [typed],
    leftSection: <IconGavel size={20} strokeWidth={1.6} aria-hidden />,
    onClick: () => void navigate(`/decisions/${encodeURIComponent(id)}`),
  });
  const decisions: SpotlightActionData[] =
    searched?.kind === 'request' && may('berth:scheduler:decisions:show')
      ? [decision(searched.id, 'Why it went there, or nowhere')]
      : (decided.data?.decisions ?? []).map(({ request_id: id, sentence }) => decision(id, sentence));
  const instances: SpotlightActionData[] = (name.length > 1 ? (placed.data?.instances ?? []) : []).map((each) => ({
    id: each.uuid,
    label: each.name ?? `Instance ${each.uuid}`,
    description: `Instance of ${each.flavor ?? 'a flavor given inline'} on ${each.host}: why there`,
    keywords: [typed],
    leftSection: <IconBox size={20} strokeWidth={1.6} aria-hidden />,
    onClick: () => void navigate(`/decisions/${encodeURIComponent(each.decision)}`),
  }));
  const others: SpotlightActionData[] = named.map(({ kind, label, to }) => {
    const { description, Icon } = KINDS[kind];
    return {
      id: `${kind} ${to}`,
      label,
      description,
      keywords: [typed],
      leftSection: <Icon size={20} strokeWidth={1.6} aria-hidden />,
      onClick: () => void navigate(to),
    };
  });
  const results = hosts.length + decisions.length + instances.length + others.length;
  useEffect(markFirst, [typed, results]);
  return (
    <Spotlight
      actions={[...pages, ...registries, ...hosts, ...decisions, ...instances, ...others]}
      query={typed}
      onQueryChange={setTyped}
      shortcut="/"
      nothingFound="Nothing has that name or id."
      highlightQuery
      limit={40}
      scrollable
      maxHeight={520}
      searchProps={{
        leftSection: <IconSearch size={20} strokeWidth={1.6} aria-hidden />,
        placeholder: 'A page, a host, an instance, a flavor, an aggregate, a zone, a trait…',
        'aria-label': 'Go to',
      }}
    />
  );
});

/**
 * Enter opens the first result. The palette selects the first entry when the text changes, before the new results
 * arrive; this selects the first of the new results.
 */
function markFirst(): void {
  for (const [at, action] of document.querySelectorAll('[role="dialog"] [data-action]').entries()) {
    if (at === 0) action.setAttribute('data-selected', 'true');
    else action.removeAttribute('data-selected');
  }
}
