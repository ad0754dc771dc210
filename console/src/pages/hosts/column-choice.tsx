// Selects the resource classes that have a column.
import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core';
import type { Address } from '../../address/use-address';
import { useTotalCapacity } from '../../service/questions';
import { useResourceClassNames } from '../../service/registries';
import { classText, sortedClasses } from '../../shown/amount';
import { IconColumns3 } from '../../shown/icons';
import { DEFAULT_CLASSES } from './host-query';

export function shownClasses({ all }: Pick<Address, 'all'>): readonly string[] {
  const chosen = all('columns');
  return chosen.length === 0 ? DEFAULT_CLASSES : sortedClasses(chosen);
}

const STRANDED_COLUMN = 'stranded';

/** Stranded amounts are shown on request, and whenever the page filters or sorts by them. */
export const showsStranded = ({ get, all }: Pick<Address, 'get' | 'all'>): boolean =>
  all('show').includes(STRANDED_COLUMN) || get('stranded') !== '' || get('sort').includes('stranded:');

export function ColumnChoice({ address }: { readonly address: Address }) {
  return (
    <Popover position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} />}>
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <ScrollArea.Autosize mah={360} type="auto" offsetScrollbars="y">
          <Choice address={address} />
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Offers the classes in use in the cloud, or all classes if the user cannot read the capacity report. */
function Choice({ address }: { readonly address: Address }) {
  const shown = shownClasses(address);
  const all = useResourceClassNames();
  const inUse = useTotalCapacity().data?.groups[0]?.resource_classes;
  const names = sortedClasses(new Set([...(inUse === undefined ? all : Object.keys(inUse)), ...shown]));
  return (
    <>
      <Checkbox
        label="Stranded amounts"
        size="xs"
        mb="sm"
        checked={showsStranded(address)}
        onChange={({ currentTarget }) => address.set({ show: currentTarget.checked ? STRANDED_COLUMN : undefined })}
      />
      <Checkbox.Group
        label="Classes with a column"
        value={[...shown]}
        onChange={(columns) => address.set({ columns: sortedClasses(columns) })}
      >
        <Stack gap={6} mt="xs">
          {names.map((name) => (
            <Checkbox key={name} value={name} label={classText(name)} size="xs" />
          ))}
        </Stack>
      </Checkbox.Group>
    </>
  );
}
