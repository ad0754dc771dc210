// The simulated decision: the outcome first, then the pipeline and the weights.
import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { useAddress } from '../../address/use-address';
import { countOf } from '../../shown/amount';
import { readable } from '../../shown/readable';
import type { Decision } from '../decision/decision-document';
import { DecisionFunnel } from '../decision/decision-funnel';
import { OutcomeMark } from '../decision/outcome-mark';
import { WeightBars } from '../decision/weight-bars';

interface Props {
  readonly title: string;
  readonly decision: Decision;
  readonly selections: readonly {
    readonly selected: { readonly host: string; readonly node: string; readonly uuid: string } | null;
  }[];
  /** Prefix of this panel's parameters in the address. */
  readonly name: string;
  /** Hosts that the other side of a comparison did not choose. */
  readonly differs?: ReadonlySet<string>;
}

export function OutcomePanel({ title, decision, selections, name, differs }: Props) {
  const address = useAddress();
  const pass = decision.passes[0];
  const chosen = selections.flatMap(({ selected }) => selected ?? []);
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Stack gap="md">
        <div>
          <Group justify="space-between" gap="xs">
            <Title order={2} size="h5">
              {title}
            </Title>
            <OutcomeMark outcome={decision.outcome} />
          </Group>
          {chosen.length === 0 ? (
            <Text fw={600} mt={4} style={{ overflowWrap: 'anywhere' }} aria-live="polite">
              {readable(decision.summary.sentence)}
            </Text>
          ) : (
            // The headline omits the instance ids of the summary sentence, because these instances do not exist.
            <Text fw={600} mt={4} aria-live="polite">
              {'Would go to '}
              {counted(chosen).map(([host, { uuid, count }], at) => (
                <span key={host}>
                  {at > 0 && ', '}
                  <Anchor component={Link} to={`/hosts/${uuid}`} inherit fw={differs?.has(host) === true ? 700 : 400}>
                    {host}
                  </Anchor>
                  {count > 1 && ` (${count})`}
                  {differs?.has(host) === true && ' – only here'}
                </span>
              ))}
              {chosen.length < selections.length &&
                `; ${countOf(selections.length - chosen.length, 'instance')} nowhere`}
            </Text>
          )}
        </div>
        <DecisionFunnel
          decision={decision}
          pass={pass}
          open={address.get(`${name}stage`)}
          onOpen={(stage) => address.set({ [`${name}stage`]: stage })}
          label={`Stages: ${title}`}
        />
        {pass !== undefined && pass.ranked > 0 && (
          <WeightBars
            pass={pass}
            isTable={address.get(`${name}weights`) === 'numbers'}
            onTable={(isTable) => address.set({ [`${name}weights`]: isTable ? 'numbers' : undefined })}
          />
        )}
      </Stack>
    </Paper>
  );
}

/** Hosts with their number of instances, in the order of the selections. */
function counted(
  chosen: readonly { readonly host: string; readonly uuid: string }[],
): readonly (readonly [string, { readonly uuid: string; readonly count: number }])[] {
  const counts = new Map<string, { uuid: string; count: number }>();
  for (const { host, uuid } of chosen) {
    const known = counts.get(host);
    if (known === undefined) counts.set(host, { uuid, count: 1 });
    else known.count += 1;
  }
  return [...counts];
}
