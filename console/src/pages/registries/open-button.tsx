// The name of a record in its row; a click opens the drawer.
import { Anchor } from '@mantine/core';

interface Props {
  readonly name: string;
  readonly open: () => void;
}

export function OpenButton({ name, open }: Props) {
  return (
    <Anchor component="button" type="button" size="sm" onClick={open} title={name}>
      {name}
    </Anchor>
  );
}
