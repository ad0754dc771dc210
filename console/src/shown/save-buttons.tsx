// What is on the screen as a file: a table as CSV, a picture as PNG.
import { useState } from 'react';
import type { RefObject } from 'react';
import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPhotoDown, IconTableExport } from './icons';
import type { Icon } from './icons';
import { faultOf } from '../service/fault';
import { csvOf, download } from './csv';
import type { Cell } from './csv';

interface CsvProps {
  readonly name: string;
  readonly columns: readonly string[];
  /** May be a promise, where the table holds less than the file shall. */
  readonly rows: () => Iterable<readonly Cell[]> | Promise<Iterable<readonly Cell[]>>;
}

export function CsvButton({ name, columns, rows }: CsvProps) {
  return (
    <SaveButton
      kind="CSV"
      icon={IconTableExport}
      save={async () => download(`${name}.csv`, csvOf(columns, await rows()))}
    />
  );
}

interface PngProps {
  readonly name: string;
  readonly of: RefObject<HTMLElement | null>;
}

/** Of a canvas its picture; of anything else what the browser shows of it. */
export function PngButton({ name, of }: PngProps) {
  const save = async (): Promise<void> => {
    const element = of.current;
    if (element === null) return;
    const blob = element instanceof HTMLCanvasElement ? await pictureOf(element) : await shotOf(element);
    if (blob !== null) download(`${name}.png`, blob);
  };
  return <SaveButton kind="PNG" icon={IconPhotoDown} save={save} />;
}

interface SaveProps {
  readonly kind: 'CSV' | 'PNG';
  readonly icon: Icon;
  readonly save: () => Promise<void>;
}

/** Busy until the file is there; tells why there is none. */
function SaveButton({ kind, icon: Icon, save }: SaveProps) {
  const [isBusy, setBusy] = useState(false);
  const press = (): void => {
    setBusy(true);
    save()
      .catch((error: unknown) => {
        notifications.show({ color: 'red', title: `No ${kind} file`, message: faultOf(error).detail });
      })
      .finally(() => setBusy(false));
  };
  return (
    <Button variant="default" size="xs" loading={isBusy} leftSection={<Icon size={16} aria-hidden />} onClick={press}>
      {kind}
    </Button>
  );
}

const pictureOf = (canvas: HTMLCanvasElement): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));

async function shotOf(element: HTMLElement): Promise<Blob | null> {
  const { toBlob } = await import('html-to-image');
  // Fonts of the system need no embedding, and looking for others would ask addresses that the policy forbids.
  return toBlob(element, {
    pixelRatio: 2,
    skipFonts: true,
    backgroundColor: groundOf(element),
  });
}

/** The colour behind an element: its own, or the nearest one that is not clear. */
function groundOf(element: HTMLElement): string {
  for (let at: HTMLElement | null = element; at !== null; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (backgroundColor !== 'rgba(0, 0, 0, 0)' && backgroundColor !== 'transparent') return backgroundColor;
  }
  return 'white';
}
