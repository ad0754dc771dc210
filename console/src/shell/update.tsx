// Notices that the service serves another build of the console than the one that runs here. The page reloads once by
// itself, but never over a form with unsaved input: then a banner offers the reload.
import { Alert, Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect } from 'react';
import { BUILD } from '../address/base';
import { readConsoleConfig } from '../service/console-config';
import { useLive } from '../service/live';
import { isFirstSight } from './seen-builds';
import { hasUnsaved } from './unsaved';

const LOOKED_EVERY_MS = 5 * 60_000;
const KEY = ['build'];

export const reload = (): void => location.reload();

interface Update {
  readonly isNewer: boolean;
  /** Asks the service for its build now. */
  readonly look: () => void;
}

export function useUpdate(): Update {
  const queries = useQueryClient();
  const { data: build } = useQuery({
    queryKey: KEY,
    queryFn: async () => (await readConsoleConfig()).build ?? BUILD,
    initialData: BUILD,
    staleTime: 60_000,
    refetchInterval: LOOKED_EVERY_MS,
    refetchOnReconnect: 'always',
  });
  const look = useCallback(() => void queries.invalidateQueries({ queryKey: KEY }), [queries]);
  return { isNewer: build !== BUILD, look };
}

export function UpdateBanner() {
  const { isNewer, look } = useUpdate();
  const queries = useQueryClient();
  const { state } = useLive();
  useEffect(() => {
    // A restarted service ends the change stream, and can be another version when the stream is back.
    if (state === 'live') look();
  }, [state, look]);
  useEffect(() => {
    const build = queries.getQueryData<string>(KEY);
    if (isNewer && build !== undefined && !hasUnsaved() && isFirstSight(build, BUILD, sessionStorage)) reload();
  }, [isNewer, queries]);
  if (!isNewer) return null;
  return (
    <Alert color="blue" p="xs" mb="md" role="status">
      <Group justify="space-between" gap="xs">
        <Text>Berth was updated. Reload the page when your input is saved: you stay logged in.</Text>
        <Button size="compact-xs" variant="default" onClick={reload}>
          Reload
        </Button>
      </Group>
    </Alert>
  );
}
