// An error of the service, with its code and the request id of the service's log.
import { Alert, Button, Code, CopyButton, Group, Text } from '@mantine/core';
import { faultOf } from '../service/fault';
import { IconAlertTriangle } from './icons';

interface Props {
  readonly error: unknown;
  readonly again?: () => void;
}

export function FaultNotice({ error, again }: Props) {
  const { title, detail, code, requestId } = faultOf(error);
  return (
    <Alert color="red" icon={<IconAlertTriangle />} title={title} role="alert">
      <Text style={{ overflowWrap: 'anywhere' }}>{detail}</Text>
      <Group gap="xs" mt="xs">
        {code !== undefined && <Code>{code}</Code>}
        {requestId !== undefined && (
          <CopyButton value={requestId}>
            {({ copied, copy }) => (
              <Button size="compact-xs" variant="default" onClick={copy} ff="monospace">
                {copied ? 'Copied' : requestId}
              </Button>
            )}
          </CopyButton>
        )}
        {again !== undefined && (
          <Button size="compact-xs" variant="light" color="red" onClick={again}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
