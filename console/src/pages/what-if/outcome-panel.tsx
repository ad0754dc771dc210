// The simulated decision: the outcome first, then the pipeline and the weights.
import { Stack, Text } from '@mantine/core';
import { countOf } from '../../shown/amount';
import { countBy } from '../../shown/count-by';
import { PageLink } from '../../shown/page-link';
import { Panel } from '../../shown/part';
import { Refusal } from '../../shown/refusal';
import { Sentence } from '../../shown/sentence';
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
  const { summary, passes } = decision;
  const [pass] = passes;
  const chosen = selections.flatMap(({ selected }) => selected ?? []);
  const uuids = new Map(chosen.map(({ host, uuid }) => [host, uuid]));
  return (
    <Panel title={title} aside={<OutcomeMark outcome={decision.outcome} />}>
      <Stack gap="md">
        <div>
          {chosen.length === 0 ? (
            <Stack gap="md" aria-live="polite">
              <Sentence text={summary.sentence} size="md" fw={600} />
              <Refusal refusal={summary} changes={summary.fixes?.changes ?? []} />
            </Stack>
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
        <DecisionFunnel decision={decision} pass={pass} name={name} label={`Stages: ${title}`} />
        {pass !== undefined && pass.ranked > 0 && <WeightBars pass={pass} name={name} />}
      </Stack>
    </Panel>
  );
}
