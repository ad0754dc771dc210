// What is being typed before it goes into the address; follows the address when that changes by other ways.
import { useState } from 'react';

export function useTyped(inAddress: string): readonly [string, (typed: string) => void] {
  const [state, setState] = useState({ typed: inAddress, from: inAddress });
  if (state.from !== inAddress) setState({ typed: inAddress, from: inAddress });
  return [state.typed, (typed) => setState({ typed, from: inAddress })];
}
