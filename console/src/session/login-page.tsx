// The login form, with the kinds of login that the service offers.
import {
  Alert,
  Button,
  Center,
  Group,
  Paper,
  PasswordInput,
  SegmentedControl,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import type { FormEvent } from 'react';
import { useState } from 'react';
import type { ConsoleConfig, LoginKind } from '../service/console-config';
import { faultOf } from '../service/fault';
import { Mark } from '../shell/mark';
import { IconAlertTriangle } from '../shown/icons';
import type { Login } from './session';

const LABELS: Readonly<Record<LoginKind, string>> = { noauth: 'Name', token: 'Token', password: 'Password' };

const DOMAINS = [
  ['user_domain', "User's domain"],
  ['project_domain', "Project's domain"],
] as const;

interface Props {
  readonly config: ConsoleConfig;
  readonly login: (login: Login) => Promise<void>;
}

export function LoginPage({ config, login }: Props) {
  const [kind, setKind] = useState<LoginKind>(config.logins[0] ?? 'token');
  const [fault, setFault] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setBusy(true);
    setFault(undefined);
    login(loginOf(kind, new FormData(event.currentTarget), config)).catch((error: unknown) => {
      setFault(faultOf(error).detail);
      setBusy(false);
    });
  };

  return (
    <Center component="main" mih="100vh" p="md">
      <Paper withBorder shadow="md" p="xl" w={400} maw="100%">
        <form onSubmit={submit}>
          <Stack>
            <Group gap="sm">
              <Mark size={36} />
              <div>
                <Title order={1} size="h3">
                  Berth
                </Title>
                <Text c="dimmed">Where every workload has its place</Text>
              </div>
            </Group>
            {config.logins.length > 1 && (
              <SegmentedControl
                size="sm"
                aria-label="How to log in"
                value={kind}
                onChange={(value) => setKind(value)}
                data={config.logins.map((value) => ({ value, label: LABELS[value] }))}
              />
            )}
            {kind === 'noauth' && (
              <TextInput
                size="sm"
                name="name"
                label="Name"
                description="This service does not check passwords: it trusts every client that can reach it. The user admin has all rights."
                defaultValue="admin"
                required
                autoFocus
              />
            )}
            {kind === 'token' && (
              <PasswordInput
                name="token"
                label="Token"
                description="As for the X-Auth-Token header. This tab keeps it until you log out or close the tab."
                autoComplete="off"
                required
                autoFocus
              />
            )}
            {kind === 'password' && (
              <>
                <TextInput size="sm" name="username" label="User" autoComplete="username" required autoFocus />
                <PasswordInput name="password" label="Password" autoComplete="current-password" required />
                <TextInput size="sm" name="project" label="Project" defaultValue="admin" required />
                <Group grow>
                  {DOMAINS.map(([name, label]) => (
                    <TextInput
                      key={name}
                      size="sm"
                      name={name}
                      label={label}
                      defaultValue={config.default_domain}
                      required
                    />
                  ))}
                </Group>
              </>
            )}
            {fault !== undefined && (
              <Alert color="red" icon={<IconAlertTriangle />} role="alert" title="Not logged in">
                {fault}
              </Alert>
            )}
            <Button type="submit" size="sm" loading={isBusy} fullWidth>
              Log in
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}

function loginOf(kind: LoginKind, form: FormData, config: ConsoleConfig): Login {
  const text = (name: string): string => {
    const value = form.get(name);
    return typeof value === 'string' ? value.trim() : '';
  };
  if (kind === 'noauth') return { kind, name: text('name') };
  if (kind === 'token') return { kind, token: text('token') };
  const password = form.get('password');
  return {
    kind,
    username: text('username'),
    password: typeof password === 'string' ? password : '',
    project: text('project'),
    user_domain: text('user_domain') || config.default_domain,
    project_domain: text('project_domain') || config.default_domain,
  };
}
