// Text being typed that is not yet in the address. It follows the address when a link or the back button changes it.
import { useState } from 'react';

export function useTyped(inAddress: string): readonly [string, (typed: string) => void] {
  const [state, setState] = useState({ typed: inAddress, from: inAddress });
  if (state.from !== inAddress) setState({ typed: inAddress, from: inAddress });
  return [state.typed, (typed) => setState({ typed, from: inAddress })];
}
