// Export buttons: a table as CSV, a chart as PNG.
import { Button } from '@mantine/core';
import type { RefObject } from 'react';
import { useState } from 'react';
import type { Cell } from './csv';
import { csvOf, download } from './csv';
import type { Icon } from './icons';
import { IconPhotoDown, IconTableExport } from './icons';
import { showFault } from './use-change';

/** The columns of a file, by their names. */
export type Fields<T> = Readonly<Record<string, (row: T) => Cell>>;

type CellName<T> = { [Name in keyof T]: T[Name] extends Cell ? Name : never }[keyof T] & string;

/** Columns with the names of members. */
export const membersOf = <T,>(...names: readonly CellName<T>[]): Fields<T> =>
  Object.fromEntries(names.map((name) => [name, (row: T) => row[name] as Cell]));

/** Columns such as `VCPU used`: the figures of each class. */
export const figureFields = <T, Figure extends string>(
  classes: readonly string[],
  figures: readonly Figure[],
  figuresOf: (row: T, name: string) => Readonly<Record<Figure, Cell>> | undefined,
  between = ' ',
): Fields<T> =>
  Object.fromEntries(
    classes.flatMap((name) =>
      figures.map((figure) => [`${name}${between}${figure}`, (row: T): Cell => figuresOf(row, name)?.[figure]]),
    ),
  );

interface CsvProps<T> {
  readonly name: string;
  readonly fields: Fields<T>;
  /** A promise if the file has more rows than the table has loaded. */
  readonly rows: () => readonly T[] | Promise<readonly T[]>;
}

export function CsvButton<T>({ name, fields, rows }: CsvProps<T>) {
  const save = async (): Promise<void> => {
    const cells = (await rows()).map((row) => Object.values(fields).map((cellOf) => cellOf(row)));
    download(`${name}.csv`, csvOf(Object.keys(fields), cells));
  };
  return <SaveButton kind="CSV" icon={IconTableExport} save={save} />;
}

interface PngProps {
  readonly name: string;
  readonly of: RefObject<HTMLElement | null>;
}

/** A canvas is exported directly; any other element is rendered as the browser shows it. */
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

/** Busy until the file is ready; shows an error notification if the export fails. */
function SaveButton({ kind, icon: Icon, save }: SaveProps) {
  const [isBusy, setBusy] = useState(false);
  const press = (): void => {
    setBusy(true);
    save()
      .catch((error: unknown) => showFault(`No ${kind} file`, error))
      .finally(() => setBusy(false));
  };
  return (
    <Button variant="default" loading={isBusy} leftSection={<Icon size={16} />} onClick={press}>
      {kind}
    </Button>
  );
}

const pictureOf = (canvas: HTMLCanvasElement): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));

async function shotOf(element: HTMLElement): Promise<Blob | null> {
  const { toBlob } = await import('html-to-image');
  // System fonts need no embedding, and a search for others would request addresses that the CSP forbids.
  return toBlob(element, {
    pixelRatio: 2,
    skipFonts: true,
    backgroundColor: groundOf(element),
  });
}

/** The element's own background colour, or that of the nearest ancestor that has one. */
function groundOf(element: HTMLElement): string {
  for (let at: HTMLElement | null = element; at !== null; at = at.parentElement) {
    const { backgroundColor } = getComputedStyle(at);
    if (backgroundColor !== 'rgba(0, 0, 0, 0)' && backgroundColor !== 'transparent') return backgroundColor;
  }
  return 'white';
}
