// A choice of one of a few values. The address names it, unless it is the first.
import { SegmentedControl } from '@mantine/core';
import { useAddress } from '../address/use-address';

interface Props {
  readonly label: string;
  /** The parameter in the address. */
  readonly name: string;
  readonly data: readonly { readonly value: string; readonly label: string }[];
  readonly how?: 'push';
}

export function AddressChoice({ label, name, data, how }: Props) {
  const { get, set } = useAddress();
  const values = data.map(({ value }) => value);
  const [first = ''] = values;
  return (
    <SegmentedControl
      aria-label={label}
      data={[...data]}
      value={values.find((value) => value === get(name)) ?? first}
      onChange={(value) => set({ [name]: value === first ? undefined : value }, how)}
    />
  );
}
