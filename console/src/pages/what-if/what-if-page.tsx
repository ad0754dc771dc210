// Simulates a request on the live cloud, with the active or a changed configuration. Claims nothing.
import { useMemo } from 'react';
import { Grid, SegmentedControl, Stack } from '@mantine/core';
import { IconAdjustmentsQuestion } from '../../shown/icons';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { Answered } from '../../shown/answered';
import { EmptyState } from '../../shown/empty-state';
import { PageHead } from '../../shown/page-head';
import { base64Url } from '../decision/request-again';
import type { RequestBody } from '../decision/request-again';
import { FIRST_FIELDS, fieldsOf, readRequest } from './asked-request';
import { Comparison } from './comparison';
import { OutcomePanel } from './outcome-panel';
import { RequestEditor } from './request-editor';
import { RoomPanel } from './room-panel';

export default function WhatIfPage() {
  const address = useAddress();
  const { may } = useSession();
  const asked = address.get('request');
  const request = useMemo(() => readRequest(asked), [asked]);
  const isComparing = address.get('mode') === 'config';
  const ask = (body: RequestBody): void => address.set({ request: base64Url(JSON.stringify(body)) }, 'push');
  return (
    <>
      <PageHead
        title="What if"
        subtitle="Where a request would go now, and where it would go under another configuration. Nothing is claimed."
        actions={
          may('berth:scheduler:simulate') && (
            <SegmentedControl
              size="xs"
              aria-label="What is asked"
              value={isComparing ? 'config' : 'request'}
              onChange={(mode) => address.set({ mode: mode === 'config' ? mode : undefined }, 'push')}
              data={[
                { value: 'request', label: 'A request' },
                { value: 'config', label: 'Another configuration' },
              ]}
            />
          )
        }
      />
      <Stack gap="md">
        <RequestEditor
          key={asked}
          fields={request === undefined ? FIRST_FIELDS : fieldsOf(request)}
          isBusy={false}
          onAsk={ask}
        />
        {request === undefined ? (
          <EmptyState icon={IconAdjustmentsQuestion} title="Nothing asked yet">
            Choose a flavor and press Ask, or open a decision and press “Change and retry”.
          </EmptyState>
        ) : isComparing ? (
          <Comparison request={request} asked={asked} />
        ) : (
          <Outcome request={request} asked={asked} />
        )}
      </Stack>
    </>
  );
}

function Outcome({ request, asked }: { readonly request: RequestBody; readonly asked: string }) {
  const explained = useAnswer(
    'hosts',
    ['what if', asked],
    ({ scheduler }, signal) => scheduler.scheduler.explain(request, {}, { signal }),
    { keepsPrevious: false },
  );
  return (
    <Grid gap="md">
      <Grid.Col span={{ base: 12, lg: 8 }}>
        <Answered question={explained}>
          {({ decision, selections }) => (
            <OutcomePanel title="Outcome" name="" decision={decision} selections={selections} />
          )}
        </Answered>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 4 }}>
        <RoomPanel request={request} asked={asked} />
      </Grid.Col>
    </Grid>
  );
}
