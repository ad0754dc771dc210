// Input that a reload would lose. Forms report it; an open dialog counts as well, because every dialog has a form.
import { useEffect } from 'react';

let unsaved = 0;

/** Reports input of the calling component that is not saved yet. */
export function useUnsaved(isUnsaved: boolean): void {
  useEffect(() => {
    if (!isUnsaved) return undefined;
    unsaved += 1;
    return () => {
      unsaved -= 1;
    };
  }, [isUnsaved]);
}

export const hasUnsaved = (): boolean => unsaved > 0 || document.querySelector('[role="dialog"]') !== null;
