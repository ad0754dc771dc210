// A trait as a chip; standard and custom traits have different styles.
import { Badge, CloseButton } from '@mantine/core';

interface Props {
  readonly trait: string;
  /** Removes the trait; absent if the user is not permitted to. */
  readonly onRemove?: (() => void) | undefined;
}

export function TraitChip({ trait, onRemove }: Props) {
  const isCustom = trait.startsWith('CUSTOM_');
  return (
    <Badge
      variant={isCustom ? 'outline' : 'light'}
      color={isCustom ? 'grape' : 'gray'}
      autoContrast

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
