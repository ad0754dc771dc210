// The handler of a form whose input stays in the page.
import type { FormEvent } from 'react';

export const submits =
  (act: () => void) =>
  (event: FormEvent): void => {
    event.preventDefault();
    act();
  };
