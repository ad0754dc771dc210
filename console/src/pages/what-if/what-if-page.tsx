// Simulates a request on the live cloud, with the active or a changed configuration. Claims nothing.
import { Grid, Stack } from '@mantine/core';
import { useMemo } from 'react';
import { useAddress } from '../../address/use-address';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { AddressChoice } from '../../shown/address-choice';
import { Answered } from '../../shown/answered';
import { EmptyState } from '../../shown/empty-state';
import { PageHead } from '../../shown/page-head';
import type { RequestBody } from '../decision/request-again';
import { base64Url } from '../decision/request-again';
import { fieldsOf, FIRST_FIELDS, readRequest } from './asked-request';
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
  const modes = [
    { value: 'request', label: 'A request' },
    ...(may('berth:scheduler:simulate') ? [{ value: 'config', label: 'Another configuration' }] : []),
  ];
  const ask = (body: RequestBody): void => address.set({ request: base64Url(JSON.stringify(body)) }, 'push');
  return (
    <>
      <PageHead
        title="What if"
        subtitle="Where a request would go now, and where it would go under another configuration. Nothing is claimed."
        actions={modes.length > 1 && <AddressChoice label="What is asked" name="mode" data={modes} how="push" />}
      />
      <Stack gap="md">
        <RequestEditor key={asked} fields={request === undefined ? FIRST_FIELDS : fieldsOf(request)} onAsk={ask} />
        {request === undefined ? (
          <EmptyState title="Nothing asked yet">
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
