// A question before a change that other objects depend on.
import { Button, Group, Modal, Text } from '@mantine/core';

interface Props {
  readonly title: string;
  /** What depends on it. */
  readonly text: string;
  /** The button that does it. */
  readonly yes: string;
  readonly onYes: () => void;
  readonly close: () => void;
}

export function AskFirst({ title, text, yes, onYes, close }: Props) {
  return (
    <Modal opened onClose={close} title={title}>
      <Text>{text}</Text>
      <Group justify="flex-end" gap="xs" mt="md">
        <Button size="sm" variant="default" onClick={close} data-autofocus>
          Keep it
        </Button>
        <Button
          size="sm"
          color="red"
          onClick={() => {
            close();
            onYes();
          }}
        >
          {yes}
        </Button>
      </Group>
    </Modal>
  );
}
