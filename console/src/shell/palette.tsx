// The command palette: finds pages by name or question, hosts by name, and decisions by instance or request id.
import { memo, useEffect, useState } from 'react';
import { Spotlight, spotlight } from '@mantine/spotlight';
import type { SpotlightActionData } from '@mantine/spotlight';
import { useHotkeys, useThrottledValue } from '@mantine/hooks';
import { IconGavel, IconSearch, IconServer2 } from '../shown/icons';
import { useNavigate } from 'react-router';
import { parseSearch } from '../pages/decisions/decision-list';
import { PAGES } from '../pages/pages';
import { useAnswer } from '../service/questions';
import { useSession } from '../session/session';

const HOSTS_OFFERED = 8;
const DECISIONS_OFFERED = 4;
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
  useEffect(markFirst, [typed, hosts.length, decisions.length]);
  return (
    <Spotlight
      actions={[...pages, ...hosts, ...decisions]}
      query={typed}
      onQueryChange={setTyped}
      shortcut="/"
      nothingFound="No page and no host of that name, and no decision about an instance of that id."
      highlightQuery
      limit={16}
      searchProps={{
        leftSection: <IconSearch size={20} strokeWidth={1.6} aria-hidden />,
        placeholder: 'A page, a question, a host, the uuid of an instance…',
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
