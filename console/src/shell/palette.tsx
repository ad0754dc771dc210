// The command palette: pages by name or by the question they answer, and hosts by name.
import { useEffect, useState } from 'react';
import { Spotlight } from '@mantine/spotlight';
import type { SpotlightActionData } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { IconSearch, IconServer2 } from '@tabler/icons-react';
import { useNavigate } from 'react-router';
import { PAGES } from '../pages/pages';
import { useAnswer } from '../service/questions';
import { useSession } from '../session/session';

const HOSTS_OFFERED = 8;

export function Palette() {
  const navigate = useNavigate();
  const { may } = useSession();
  const [typed, setTyped] = useState('');
  const [name] = useDebouncedValue(typed.trim(), 150);
  const found = useAnswer(
    'hosts',
    ['palette', name],
    ({ reports }, signal) => reports.hosts({ name, limit: HOSTS_OFFERED }, signal),
    { enabled: name.length > 1 && may('berth:reports:hosts') },
  );
  const pages: SpotlightActionData[] = PAGES.flatMap(({ path, shown }) => {
    if (shown === undefined || !shown.rules.some(may)) return [];
    return [
      {
        id: path,
        label: shown.name,
        description: shown.question,
        leftSection: <shown.icon size={20} stroke={1.6} aria-hidden />,
        onClick: () => void navigate(path.replace(/\/:.*$/, '')),
      },
    ];
  });
  const hosts: SpotlightActionData[] = (name.length > 1 ? (found.data?.hosts ?? []) : []).map((host) => ({
    id: host.uuid,
    label: host.name,
    description: [host.status, host.availability_zone ?? 'no zone'].join(', '),
    keywords: [typed],
    leftSection: <IconServer2 size={20} stroke={1.6} aria-hidden />,
    onClick: () => void navigate(`/hosts/${host.uuid}`),
  }));
  useEffect(markFirst, [typed, hosts.length]);
  return (
    <Spotlight
      actions={[...pages, ...hosts]}
      query={typed}
      onQueryChange={setTyped}
      shortcut={['mod + K', '/']}
      nothingFound="No page and no host of that name."
      highlightQuery
      limit={16}
      searchProps={{
        leftSection: <IconSearch size={20} stroke={1.6} aria-hidden />,
        placeholder: 'A page, a question, a host…',
        'aria-label': 'Go to',
      }}
    />
  );
}

/**
 * Enter takes the first that is found. The palette marks it as soon as something was typed, when what it found before is
 * still shown; what is found then stands unmarked.
 */
function markFirst(): void {
  for (const [at, action] of document.querySelectorAll('[role="dialog"] [data-action]').entries()) {
    if (at === 0) action.setAttribute('data-selected', 'true');
    else action.removeAttribute('data-selected');
  }
}
