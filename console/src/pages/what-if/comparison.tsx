// Simulates the same request twice on the live cloud: with the active and with a changed configuration.
import { Alert, SimpleGrid, Stack, Text } from '@mantine/core';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import { countOf } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { EmptyState } from '../../shown/empty-state';
import type { ConfigChange, Running } from './changed-config';
import { changedConfig, changeLines, changesNothing, configOf } from './changed-config';
import { readCloud } from './cloud';
import { ConfigEditor } from './config-editor';
import { OutcomePanel } from './outcome-panel';
import type { Asked } from './room-panel';

export function Comparison({ request, asked }: Asked) {
  const running = useAnswer('fixed', ['scheduler'], ({ scheduler }, signal) => scheduler.scheduler.show({ signal }));
  return (
    <Answered question={running}>{(answer) => <Compared running={answer} request={request} asked={asked} />}</Answered>
  );
}

function Compared({ running, request, asked }: Asked & { readonly running: Running }) {
  const address = useAddress();
  const change: ConfigChange = { off: address.all('off'), on: address.all('on'), set: address.all('set') };
  const key = JSON.stringify(change);
  const simulated = useAnswer(
    'fixed',
    ['comparison', asked, key],
    async (service, signal) => {
      const cloud = await readCloud(service, signal);
      const config = configOf(running);
      const simulate = (changed: ReturnType<typeof configOf>) =>
        service.scheduler.scheduler.simulate(
          // The API document does not list options; the service validates the content of each group.
          { ...cloud.parts, config: changed as Record<string, never>, request: { ...request, explain: 'all' } },
          { signal },
        );
      const before = await simulate(config);
      const after = await simulate(changedConfig(config, change));
      return { hosts: cloud.hosts, before, after };
    },
    { enabled: !changesNothing(change), keepsPrevious: false },
  );
  return (
    <Stack gap="md">
      <ConfigEditor
        key={key}
        running={running}
        change={change}
        isBusy={simulated.isFetching}
        onCompare={({ off, on, set }) => address.set({ off, on, set }, 'push')}
      />
      {changesNothing(change) ? (
        <EmptyState title="Nothing changed yet">
          Switch a filter off or change a multiplier to compare both outcomes. The service itself does not change.
        </EmptyState>
      ) : (
        <Answered question={simulated}>
          {({ hosts, before, after }) => {
            if (before.decision === undefined || after.decision === undefined) return null;
            const [left, right] = [hostsOf(before.selections), hostsOf(after.selections)];
            return (
              <>
                <Alert color={isSame(left, right) ? 'gray' : 'cyan'} aria-live="polite">
                  <Text>
                    {`${isSame(left, right) ? 'The outcome is the same' : 'The outcome differs'} (${countOf(hosts, 'host')} as they are now): ${changeLines(change).join('; ')}.`}
                  </Text>
                </Alert>
                <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
                  <OutcomePanel
                    title="As it is configured"
                    name="a-"
                    decision={before.decision}
                    selections={before.selections}
                    differs={without(left, right)}
                  />
                  <OutcomePanel
                    title="With the change"
                    name="b-"
                    decision={after.decision}
                    selections={after.selections}
                    differs={without(right, left)}
                  />
                </SimpleGrid>
              </>
            );
          }}
        </Answered>
      )}
    </Stack>
  );
}

const hostsOf = (selections: readonly { readonly selected: { readonly host: string } | null }[]): ReadonlySet<string> =>
  new Set(selections.flatMap(({ selected }) => selected?.host ?? []));

const without = (these: ReadonlySet<string>, those: ReadonlySet<string>): ReadonlySet<string> =>
  new Set([...these].filter((host) => !those.has(host)));

const isSame = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean =>
  left.size === right.size && [...left].every((host) => right.has(host));
