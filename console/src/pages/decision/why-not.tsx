// "Why not cn0042?": shows what the decision says about a host, or else the service's answer of now.
import { Alert, Autocomplete, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { Answered } from '../../shown/answered';
import { Note } from '../../shown/note';
import { readable } from '../../shown/readable';
import { Sentence } from '../../shown/sentence';
import { submits } from '../../shown/submits';
import type { Decision, Pass, ShownPass, UnderstoodRequest } from './decision-document';
import { HostAnchor } from './fallen-hosts';
import type { HostVerdict } from './host-verdicts';
import { hostsNamed, verdictsOn } from './host-verdicts';
import { requestAgain } from './request-again';

/** The question's form; the answer depends on the address. */
export function WhyNotForm({ decision, pass }: ShownPass) {
  const address = useAddress();
  const [typed, setTyped] = useState(address.get('why'));
  const ask = (name: string): void => address.set({ why: name.trim(), now: undefined }, 'push');
  return (
    <form onSubmit={submits(() => ask(typed))}>
      <Group gap="xs" wrap="nowrap">
        <Autocomplete
          aria-label="Why not this host"
          placeholder="Why not… a host"
          w={200}
          data={[...hostsNamed(decision, pass)]}
          limit={12}
          value={typed}
          onChange={setTyped}
          onOptionSubmit={ask}
          onClear={() => ask('')}
          clearable
        />
        <Button type="submit" variant="default">
          Ask
        </Button>
      </Group>
    </form>
  );
}

export function WhyNotAnswer({ decision, pass }: ShownPass) {
  const host = useAddress().get('why');
  return (
    <div aria-live="polite">{host !== '' && <Verdict key={host} decision={decision} pass={pass} host={host} />}</div>
  );
}

function Verdict({ decision, pass, host }: ShownPass & { readonly host: string }) {
  const address = useAddress();
  const { may } = useSession();
  const verdicts = verdictsOn(decision, pass, host);
  const { request } = decision;
  const mayAsk = may('berth:scheduler:explain') && request !== null;
  const isNow = verdicts.length === 0 || address.get('now') === 'true';
  return (
    <Paper withBorder p="sm">
      <Stack gap="xs">
        {verdicts.length > 0 ? (
          <VerdictList host={host} verdicts={verdicts} />
        ) : (
          <Text>
            The record of this decision does not list <strong>{host}</strong>
            {isCut(decision, pass) ? ': its lists are cut.' : '.'}
          </Text>
        )}
        {mayAsk && isNow && <VerdictNow request={request} host={host} />}
        {mayAsk && !isNow && (
          <Group>
            <Button size="compact-xs" variant="default" onClick={() => address.set({ now: true })}>
              And as the cloud is now?
            </Button>
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

/** Explains the same request for one instance on this host only. Claims nothing. */
function VerdictNow({ request, host }: { readonly request: UnderstoodRequest; readonly host: string }) {
  const { min_count: _all, ...asked } = requestAgain(request);
  const question = useAnswer(
    'hosts',
    ['why not', host, asked],
    ({ scheduler }, signal) => scheduler.scheduler.explain({ ...asked, num_instances: 1 }, { host }, { signal }),
    { keepsPrevious: false },
  );
  return (
    <Answered question={question}>
      {({ decision }) => {
        const verdicts = verdictsOn(decision, decision.passes[0], host);
        return (
          <Alert color="blue" p="xs" title="The same request, as the cloud is now">
            {verdicts.length > 0 ? (
              <VerdictList host={host} verdicts={verdicts} />
            ) : decision.passes.length === 0 && decision.placement === null ? (
              <Sentence text={decision.summary.sentence} />
            ) : (
              <Text>{`No host or root provider is named ${host}.`}</Text>
            )}
          </Alert>
        );
      }}
    </Answered>
  );
}

function VerdictList({ host, verdicts }: { readonly host: string; readonly verdicts: readonly HostVerdict[] }) {
  return (
    <Stack gap={6}>
      {verdicts.map(({ kind, by, code, message }, at) => (
        <Group key={at} gap="xs" wrap="nowrap" align="baseline">
          <Badge size="sm" variant="light" color={COLORS[kind]} style={{ flexShrink: 0 }} autoContrast>
            {by}
          </Badge>
          <Text style={{ overflowWrap: 'anywhere' }}>
            {readable(message)}
            {code !== undefined && (
              <Note span ff="monospace" ml={6}>
                {code}
              </Note>
            )}
          </Text>
        </Group>
      ))}
      <HostAnchor host={{ host }} />
    </Stack>
  );
}

const COLORS: Readonly<Record<HostVerdict['kind'], string>> = {
  rejected: 'red',
  claim: 'orange',
  noted: 'gray',
  ranked: 'cyan',
  selected: 'teal',
  alternate: 'teal',
};

const isCut = ({ placement }: Decision, pass: Pass | undefined): boolean =>
  placement === null ||
  placement.rejections === null ||
  placement.rejections.truncated ||
  placement.truncated ||
  pass === undefined ||
  pass.ranking_truncated ||
  pass.stages.some(({ rejections }) => rejections.truncated);
