// The Placement request of a flavor or an image: the query and the conditions that prefilters add. Claims nothing.
import type { Body } from '@berth/client';
import { Alert, Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { countText } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import { CodeLines } from '../../shown/copy-text';
import { Part } from '../../shown/part';
import { whatIfPath } from '../decision/request-again';
import { PrefilterPanel } from '../decision/request-panel';

interface Props {
  readonly flavor: Body<'/scheduler/explain', 'post'>['flavor'];
  readonly image: string | null;
  /** Changes when the record changes. */
  readonly version: string;
  readonly children?: ReactNode;
}

export function AsksFor({ flavor, image, version, children }: Props) {
  const { may, person } = useSession();
  const isAllowed = may('berth:scheduler:explain');
  const project = person.project_id ?? 'admin';
  const body = { num_instances: 1, project_id: project, user_id: person.user_id ?? project, flavor, image };
  const question = useAnswer(
    'registries',
    ['asks for', version, body],
    ({ scheduler }, signal) => scheduler.scheduler.explain({ ...body, explain: 'summary' }, {}, { signal }),
    { enabled: isAllowed },
  );
  if (!isAllowed) return null;
  return (
    <Part
      title="What Placement is asked"
      aside={
        <Button component={Link} to={whatIfPath(body)} size="compact-sm" variant="default">
          What would it get?
        </Button>
      }
    >
      {children}
      <Answered question={question}>
        {({ decision: { placement, prefilters, summary } }) => (
          <Stack gap="md">
            {placement === null ? (
              <Alert color="orange" p="xs">
                {summary.sentence}
              </Alert>
            ) : (
              <div>
                <CodeLines text={placement.query.replaceAll('&', '\n')} />
                <Text mt={4}>
                  {`Now: ${countText(placement.candidates)} candidates on ${countText(placement.hosts)} hosts`}
                </Text>
              </div>
            )}
            {prefilters.length > 0 && <PrefilterPanel prefilters={prefilters} />}
          </Stack>
        )}
      </Answered>
    </Part>
  );
}
