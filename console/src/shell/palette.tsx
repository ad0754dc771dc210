// The command palette: finds pages and their tabs by name or question; hosts, instances, flavors, host aggregates,
// server groups, projects, zones and traits by any part of their names; and decisions by instance or request id.
import { useHotkeys, useThrottledValue } from '@mantine/hooks';
import type { SpotlightActionData } from '@mantine/spotlight';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { memo, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import { parseSearch } from '../pages/decisions/decision-list';
import { NAVIGATION, navigationTarget } from '../pages/pages';
import { REGISTRIES } from '../pages/registries/registries';
import { useMatches } from '../service/matches';
import { useAnswer } from '../service/questions';
import {
  useFlavorNames,
  useHostAggregateChoices,
  useProjects,
  useServerGroups,
  useTraitNames,
  useZoneNames,
} from '../service/registries';
import { useSession } from '../session/session';
import type { Icon } from '../shown/icons';
import { IconBox, IconBuildingWarehouse, IconGavel, IconMap2, IconSearch, IconServer2, IconTags } from '../shown/icons';
import type { Named } from './named';
import { namedBy } from './named';

const DECISIONS_OFFERED = 4;
const LEAST_LETTERS = 2;
const ASKED_EVERY_MS = 150;

const KINDS = {
  flavor: { description: 'Flavor: where it fits', icon: IconMap2 },
  aggregate: { description: 'Host aggregate: its hosts', icon: IconBuildingWarehouse },
  group: { description: 'Server group: its members', icon: IconBox },
  project: { description: 'Project: what it uses', icon: IconBox },
  zone: { description: 'Availability zone: its hosts', icon: IconBuildingWarehouse },
  trait: { description: 'Trait: hosts that have it', icon: IconTags },
} as const;

interface Entry {
  readonly to: string;
  readonly label: string;
  readonly description: string;
  readonly icon: Icon;
}

export const Palette = memo(function Palette() {
  const navigate = useNavigate();
  const { may } = useSession();
  const [typed, setTyped] = useState('');
  // Works inside input fields too; the `/` shortcut does not.
  useHotkeys([['mod+K', spotlight.open]], []);
  const name = useThrottledValue(typed.trim(), ASKED_EVERY_MS);
  const results = useResults(name);
  useEffect(markFirst, [typed, results.length]);
  const actionOf = ({ to, icon: Shown, ...shown }: Entry): SpotlightActionData => ({
    ...shown,
    id: `${to} ${shown.label}`,
    leftSection: <Shown size={20} strokeWidth={1.6} />,
    onClick: () => void navigate(to),
  });
  const pages = NAVIGATION.filter(({ rules }) => rules.some(may)).map(
    ({ path, name: label, question, icon }): Entry => ({
      to: navigationTarget(path),
      label,
      description: question,
      icon,
    }),
  );
  const registries = REGISTRIES.filter(({ rule }) => may(rule)).map(({ key, name: label }): Entry => ({
    to: `/registries/${key}`,
    label,
    description: 'Configuration',
    icon: IconBuildingWarehouse,
  }));
  return (
    <Spotlight
      actions={[
        ...[...pages, ...registries].map(actionOf),
        // The service has found them, also by other texts than their labels.
        ...results.map((entry) => ({ ...actionOf(entry), keywords: [typed] })),
      ]}
      query={typed}
      onQueryChange={setTyped}
      shortcut="/"
      nothingFound="Nothing has that name or id."
      highlightQuery
      limit={40}
      scrollable
      maxHeight={520}
      searchProps={{
        leftSection: <IconSearch size={20} strokeWidth={1.6} />,
        placeholder: 'A page, a host, an instance, a flavor, an aggregate, a zone, a trait…',
        'aria-label': 'Go to',
      }}
    />
  );
});

/** What the service knows by a name or an id. */
function useResults(name: string): readonly Entry[] {
  const { may } = useSession();
  const isNeeded = name.length >= LEAST_LETTERS;
  const { hosts, instances } = useMatches(name, isNeeded);
  const searched = parseSearch(name);
  const instance = searched?.kind === 'instance' ? searched.uuid : '';
  const decided = useAnswer(
    'decisions',
    ['palette', instance],
    ({ scheduler }, signal) => scheduler.scheduler.decisions.list({ instance, limit: DECISIONS_OFFERED }, { signal }),
    { enabled: instance !== '', rule: 'berth:scheduler:decisions:list', keepsPrevious: false },
  );
  const named = useNamed(name, isNeeded);
  const decisionEntry = (id: string, description: string): Entry => ({
    to: `/decisions/${encodeURIComponent(id)}`,
    label: `Decision ${id}`,
    description,
    icon: IconGavel,
  });
  const decisions =
    searched?.kind === 'request' && may('berth:scheduler:decisions:show')
      ? [decisionEntry(searched.id, 'Why it went there, or nowhere')]
      : (decided.data?.decisions ?? []).map(({ request_id: id, sentence }) => decisionEntry(id, sentence));
  if (!isNeeded) return decisions;
  return [
    ...hosts.map(({ uuid, name: label, status, availability_zone: zone }) => ({
      to: `/hosts/${uuid}`,
      label,
      description: [status, zone ?? 'no zone'].join(', '),
      icon: IconServer2,
    })),
    ...decisions,
    ...instances.map(({ uuid, name: label, flavor, host, decision }) => ({
      to: `/decisions/${encodeURIComponent(decision)}`,
      label: label ?? `Instance ${uuid}`,
      description: `Instance of ${flavor ?? 'a flavor given inline'} on ${host}: why there`,
      icon: IconBox,
    })),
    ...named.map(({ kind, label, to }) => ({ to, label, ...KINDS[kind] })),
  ];
}

/** Flavors, host aggregates, server groups, projects, zones and traits whose names contain the text. */
function useNamed(text: string, isNeeded: boolean): readonly Named[] {
  const flavors = useFlavorNames({ isNeeded });
  const aggregates = useHostAggregateChoices({ isNeeded });
  const groups = useServerGroups({ isNeeded }).data?.rows ?? [];
  const projects = useProjects({ isNeeded }).data?.rows.map(({ project_id: id }) => id) ?? [];
  const zones = useZoneNames({ isNeeded });
  const traits = useTraitNames({ inUse: true, isNeeded });
  return isNeeded ? namedBy(text, { flavors, aggregates, groups, projects, zones, traits }) : [];
}

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
