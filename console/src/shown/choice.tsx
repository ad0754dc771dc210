// Selects one of several names, or none: ''.
import type { SelectProps } from '@mantine/core';
import { Select } from '@mantine/core';

type Named = string | { readonly value: string; readonly label: string };

export type ChoiceNames = readonly Named[];

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange'> {
  readonly names: ChoiceNames;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

const OFFERED = 60;
const valueOf = (named: Named): string => (typeof named === 'string' ? named : named.value);

export function Choice({ names, value, onChange, ...rest }: Props) {
  // A value from a link is shown even if no registry has it.
  const isKnown = value === '' || names.some((named) => valueOf(named) === value);
  return (
    <Select
      placeholder="Any"
      searchable
      clearable
      limit={OFFERED}
      nothingFoundMessage="None of that name"
      {...rest}
      data={isKnown ? [...names] : [value, ...names]}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
    />
  );
}
