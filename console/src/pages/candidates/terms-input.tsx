// Input for a list of terms, one chip each: `T`, `!T` for a forbidden name, `in:T,U` for any of several.
import { TagsInput } from '@mantine/core';
import { useState } from 'react';

interface Props {
  readonly label: string;
  readonly names: readonly string[];
  readonly value: readonly string[];
  readonly onChange: (terms: readonly string[]) => void;
  /** Whether one term can hold several alternatives. */
  readonly takesAlternatives?: boolean;
}

const OFFERED = 12;

export function TermsInput({ label, names, value, onChange, takesAlternatives = true }: Props) {
  const [typed, setTyped] = useState('');
  return (
    <TagsInput
      label={label}
      value={[...value]}
      onChange={onChange}
      data={completions(typed, names)}
      // `completions` has already filtered the options, including markers.
      filter={({ options }) => options}
      searchValue={typed}
      onSearchChange={setTyped}
      splitChars={[' ', ';']}
      acceptValueOnBlur
      placeholder={value.length > 0 ? '' : takesAlternatives ? 'NAME, !NAME or in:NAME,NAME' : 'NAME or !NAME'}
    />
  );
}

/** Completions of the last name in the text; the markers and names before it are kept. */
function completions(typed: string, names: readonly string[]): string[] {
  const [, before = '', begun = ''] = /^(!?(?:in:(?:[^,]*,)*)?)(.*)$/.exec(typed) ?? [];
  const wanted = begun.toLowerCase();
  const found: string[] = [];
  for (const name of names) {
    if (!name.toLowerCase().includes(wanted)) continue;
    found.push(`${before}${name}`);
    if (found.length === OFFERED) break;
  }
  return found;
}
