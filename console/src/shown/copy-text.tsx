// A text with a copy button: an id or a command.
import { ActionIcon, Code, CopyButton, Group, Text, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from './icons';

function Copy({ text, what }: { readonly text: string; readonly what: string }) {
  return (
    <CopyButton value={text}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${what}`}>
          <ActionIcon size="sm" onClick={copy} aria-label={`Copy ${what}`}>
            {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}

export function IdText({ id }: { readonly id: string }) {
  return (
    <Group gap={2} wrap="nowrap" display="inline-flex">
      <Text span ff="monospace" size="xs" style={{ overflowWrap: 'anywhere' }}>
        {id}
      </Text>
      <Copy text={id} what="id" />
    </Group>
  );
}

/** A code in its own lines, wrapped. */
export const CodeLines = ({ text }: { readonly text: string }) => (
  <Code block style={{ flex: 1, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} tabIndex={0}>
    {text}
  </Code>
);

export function CommandText({ command }: { readonly command: string }) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-start">
      <CodeLines text={command} />
      <Copy text={command} what="command" />
    </Group>
  );
}
