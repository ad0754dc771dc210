// Warns about hosts without an isolation key before an image is placed there.
import { Alert, Stack, Text } from '@mantine/core';
import { useMemo } from 'react';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { countOf } from '../../shown/amount';
import { IconAlertTriangle } from '../../shown/icons';
import type { IsolationGap } from './isolation-gaps';
import { isolationGaps } from './isolation-gaps';
import type { HostAggregate } from './use-registries';
import { useImages, useServices } from './use-registries';

const FILTER = 'AggregateImagePropertiesIsolation';

/** Empty while the filter is disabled: then the keys isolate nothing. */
export function useIsolationGaps(aggregates: readonly HostAggregate[] | undefined): readonly IsolationGap[] {
  const { may } = useSession();
  const scheduler = useAnswer(
    'fixed',
    ['scheduler'],
    ({ scheduler: { scheduler } }, signal) => scheduler.show({ signal }),
    {
      enabled: may('berth:scheduler:show'),
    },
  );
  const isOn = scheduler.data?.filters.some(({ name }) => name === FILTER) ?? false;
  const images = useImages(isOn && may('berth:scheduler:images:list')).data?.rows;
  const services = useServices(isOn && may('berth:scheduler:services:list')).data?.rows;
  return useMemo(() => {
    if (!isOn || aggregates === undefined || images === undefined || services === undefined) return [];
    return isolationGaps(
      aggregates,
      images.map(({ properties }) => properties),
      services.map(({ host }) => host),
    );
  }, [isOn, aggregates, images, services]);
}

export function IsolationNotice({ gaps }: { readonly gaps: readonly IsolationGap[] }) {
  const advice = useAdvice();
  const lines = advice.length > 0 ? advice : gaps.map(sentenceOf);
  if (lines.length === 0) return null;
  return (
    <Alert
      color="orange"
      variant="light"
      icon={<IconAlertTriangle aria-hidden />}
      title="Hosts that take every image, though a key keeps images apart"
      styles={{ title: { color: 'var(--mantine-color-text)' } }}
    >
      <Stack gap={4}>
        {lines.map((line) => (
          <Text key={line} size="sm" style={{ overflowWrap: 'anywhere' }}>
            {line}
          </Text>
        ))}
      </Stack>
    </Alert>
  );
}

/** The service's own advice, if any; it considers more than the registered images. */
function useAdvice(): readonly string[] {
  const { may } = useSession();
  const advice = useAnswer('slow', ['advice'], ({ reports }, signal) => reports.advice({ signal }), {
    enabled: may('berth:reports:advice'),
  });
  return (advice.data?.advice ?? [])
    .filter(({ kind }) => kind === 'isolation_key_missing')
    .map(({ sentence }) => sentence);
}

function sentenceOf({ key, values, hosts }: IsolationGap): string {
  const are = hosts.length === 1 ? 'is' : 'are';
  return `${countOf(hosts.length, 'host')} ${are} in no aggregate with the key ${key} (elsewhere ${values.join(', ')}), so ${FILTER} has nothing against any image there: ${namesOf(hosts)}.`;
}

const SHOWN = 5;

const namesOf = (hosts: readonly string[]): string =>
  hosts.length <= SHOWN
    ? hosts.join(', ')
    : `${hosts.slice(0, SHOWN).join(', ')} and ${countOf(hosts.length - SHOWN, 'more', 'more')}`;
