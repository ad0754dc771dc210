// The simulated decision: the outcome first, then the pipeline and the weights.
import { Stack, Text } from '@mantine/core';
import { useAddress } from '../../address/use-address';
import { countOf } from '../../shown/amount';
import { countBy } from '../../shown/count-by';
import { PageLink } from '../../shown/page-link';
import { Panel } from '../../shown/panel';
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
  const uuids = new Map(chosen.map(({ host, uuid }) => [host, uuid]));
  return (
    <Panel title={title} aside={<OutcomeMark outcome={decision.outcome} />}>
      <Stack gap="md">
        <div>
          {chosen.length === 0 ? (
            <Text size="md" fw={600} style={{ overflowWrap: 'anywhere' }} aria-live="polite">
              {readable(decision.summary.sentence)}
            </Text>
          ) : (
            // The headline omits the instance ids of the summary sentence, because these instances do not exist.
            <Text size="md" fw={600} aria-live="polite">
              {'Would go to '}
              {[...countBy(chosen.map(({ host }) => host))].map(([host, count], at) => (
                <span key={host}>
                  {at > 0 && ', '}
                  <PageLink to={`/hosts/${uuids.get(host) ?? ''}`} inherit fw={differs?.has(host) === true ? 700 : 400}>
                    {host}
                  </PageLink>
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
    </Panel>
  );
}
