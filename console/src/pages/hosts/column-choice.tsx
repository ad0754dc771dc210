// Which classes have a column of their own.
import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core';
import { IconColumns3 } from '@tabler/icons-react';
import type { Address } from '../../address/use-address';
import { useResourceClassNames } from '../../service/names';
import { classText, sortedClasses } from '../../shown/amount';
import { DEFAULT_CLASSES } from './host-query';

export function shownClasses({ all }: Pick<Address, 'all'>): readonly string[] {
  const chosen = all('columns');
  return chosen.length === 0 ? DEFAULT_CLASSES : sortedClasses(chosen);
}

export function ColumnChoice({ address }: { readonly address: Address }) {
  const shown = shownClasses(address);
  const names = sortedClasses(new Set([...useResourceClassNames(), ...shown]));
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" size="xs" leftSection={<IconColumns3 size={16} aria-hidden />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={360} type="auto">
          <Checkbox.Group
            label="Classes with a column"
            value={[...shown]}
            onChange={(columns) => address.set({ columns })}
          >
            <Stack gap={6} mt="xs">
              {names.map((name) => (
                <Checkbox key={name} value={name} label={classText(name)} size="xs" />
              ))}
            </Stack>
          </Checkbox.Group>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
