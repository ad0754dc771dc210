// A trait as a chip; standard and custom ones differ at a glance.
import { Badge, CloseButton } from '@mantine/core';

interface Props {
  readonly trait: string;
  /** Takes it away; absent where nobody may. */
  readonly onRemove?: (() => void) | undefined;
}

export function TraitChip({ trait, onRemove }: Props) {
  const isCustom = trait.startsWith('CUSTOM_');
  return (
    <Badge
      variant={isCustom ? 'outline' : 'light'}
      color={isCustom ? 'grape' : 'gray'}
      autoContrast
      tt="none"
      ff="monospace"
      fw={500}
      size="md"
      radius="sm"
      c="var(--mantine-color-text)"
      rightSection={
        onRemove && <CloseButton size={14} iconSize={12} aria-label={`Unset ${trait}`} onClick={onRemove} />
      }
    >
      {trait}
    </Badge>
  );
}
