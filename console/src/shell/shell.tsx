import {
  ActionIcon,
  AppShell,
  Burger,
  Button,
  Group,
  Kbd,
  Menu,
  NavLink,
  ScrollArea,
  Text,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import type { ReactNode } from 'react';
import { memo } from 'react';
import { Link, useLocation } from 'react-router';
import { NAVIGATION, navigationTarget } from '../pages/pages';
// The frame of every page: navigation, user menu, live switch.
import { useLive } from '../service/live';
import { useSession } from '../session/session';
import {
  IconBroadcast,
  IconInfoCircle,
  IconLogout,
  IconMoon,
  IconPlayerPause,
  IconPlugConnectedX,
  IconSearch,
  IconSun,
  IconUser,
} from '../shown/icons';
import { Note } from '../shown/note';
import { inkOf } from '../theme';
import { FirstVisit } from './first-visit';
import { Mark } from './mark';
import { Palette } from './palette';
import { UpdateBanner } from './update';

export function Shell({ children }: { readonly children: ReactNode }) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const { pathname } = useLocation();
  const [isVisiting, { open: startVisit, close: endVisit }] = useDisclosure();
  return (
    <AppShell
      header={{ height: 52 }}
      navbar={{ width: 216, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="lg"
      transitionDuration={0}
    >
      <a href="#content" className="skip">
        Skip to content
      </a>
      <AppShell.Header px="md">
        <Head isOpen={isOpen} toggle={toggle} startVisit={startVisit} />
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Pages">
        <Navigation pathname={pathname} close={close} />
      </AppShell.Navbar>
      <AppShell.Main id="content" tabIndex={-1}>
        <UpdateBanner />
        <FirstVisit isAsked={isVisiting} onEnd={endVisit} />
        {children}
      </AppShell.Main>
      <Palette />
    </AppShell>
  );
}

interface HeadProps {
  readonly isOpen: boolean;
  readonly toggle: () => void;
  readonly startVisit: () => void;
}

/** Memoised: the frame does not render again when typing changes the address. */
const Head = memo(function Head({ isOpen, toggle, startVisit }: HeadProps) {
  return (
    <Group h="100%" justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap">
        <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
        <UnstyledButton component={Link} to="/" aria-label="Berth, overview">
          <Group gap="xs" wrap="nowrap">
            <Mark size={28} />
            <Text fw={700} size="lg" visibleFrom="xs">
              Berth
            </Text>
          </Group>
        </UnstyledButton>
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Button variant="default" px="xs" onClick={spotlight.open}>
          <IconSearch size={14} />
          <VisuallyHidden>Go to…</VisuallyHidden>
          <Text span inherit visibleFrom="xs" mx={6} aria-hidden>
            Go to…
          </Text>
          <Kbd size="xs" visibleFrom="xs" aria-hidden>
            Ctrl K
          </Kbd>
        </Button>
        <LiveMark />
        <SchemeSwitch />
        <PersonMenu startVisit={startVisit} />
      </Group>
    </Group>
  );
});

interface NavigationProps {
  readonly pathname: string;
  readonly close: () => void;
}

const Navigation = memo(function Navigation({ pathname, close }: NavigationProps) {
  const { may, config } = useSession();
  return (
    <>
      <AppShell.Section grow component={ScrollArea}>
        {NAVIGATION.filter(({ rules }) => rules.some(may)).map(({ path, name, icon: Icon }) => {
          const target = navigationTarget(path);
          return (
            <NavLink
              key={path}
              component={Link}
              to={target}
              onClick={close}
              label={name}
              leftSection={<Icon size={18} strokeWidth={1.6} />}
              active={isAtOrBelow(pathname, target)}
              aria-current={isAtOrBelow(pathname, target) ? 'page' : undefined}
            />
          );
        })}
      </AppShell.Section>
      <AppShell.Section>
        <Note px="sm" py={4}>
          Version {config.version}
        </Note>
      </AppShell.Section>
    </>
  );
});

const isAtOrBelow = (path: string, target: string): boolean =>
  target === '/' ? path === '/' : path === target || path.startsWith(`${target}/`);

/** Whether live updates are on, with a switch to pause them. */
function LiveMark() {
  const { state, pause, resume } = useLive();
  if (state === 'off') return null;
  const isPaused = state === 'paused';
  const { name, label, color, Icon } = {
    live: { name: 'Live', label: 'Live updates are on. Click to pause.', color: 'teal', Icon: IconBroadcast },
    connecting: {
      name: 'Connecting',
      label: 'No live updates: waiting for the service.',
      color: 'gray',
      Icon: IconPlugConnectedX,
    },
    paused: {
      name: 'Paused',
      label: 'Live updates are paused. Click to resume.',
      color: 'orange',
      Icon: IconPlayerPause,
    },
  }[state];
  return (
    <Tooltip label={label}>
      <Button
        variant="default"
        leftSection={<Icon size={14} color={inkOf(color)} />}
        aria-pressed={!isPaused}
        onClick={isPaused ? resume : pause}
      >
        {name}
      </Button>
    </Tooltip>
  );
}

function SchemeSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <Tooltip label={`Show it ${other}`}>
      <ActionIcon size="lg" aria-label={`Show it ${other}`} onClick={() => setColorScheme(other)}>
        {scheme === 'dark' ? <IconSun size={18} /> : <IconMoon size={18} />}
      </ActionIcon>
    </Tooltip>
  );
}

function PersonMenu({ startVisit }: Pick<HeadProps, 'startVisit'>) {
  const { person, logout } = useSession();
  const name = person.user_id ?? 'nobody';
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconUser size={16} />} maw={160}>
          <VisuallyHidden>Logged in as {name}</VisuallyHidden>
          <Text span truncate inherit visibleFrom="xs" aria-hidden>
            {name}
          </Text>
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {`${name}. `}
          {person.roles.length === 0 ? 'No roles' : `Roles: ${person.roles.join(', ')}`}
          {person.project_id !== null && ` in project ${person.project_id}`}
        </Menu.Label>
        <Menu.Item leftSection={<IconInfoCircle size={16} />} onClick={startVisit}>
          Show me around
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={logout}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
