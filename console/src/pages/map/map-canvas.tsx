// The map: one canvas for the visible part, redrawn on changes. The pointer and the keyboard cursor are a frame above
// it, so moving them redraws nothing.
import { useComputedColorScheme, VisuallyHidden } from '@mantine/core';
import { useElementSize, useMergedRef, useViewportSize } from '@mantine/hooks';
import type { KeyboardEvent, MouseEvent } from 'react';
import { useCallback, useId, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { MapReport } from '../../service/reports';
import { shareText } from '../../shown/amount';
import type { HostGroup, MapHost } from './map-groups';
import { descriptionOf, MapHostCard } from './map-host-card';
import type { Shades } from './map-kinds';
import { cellAt, cornerOf, layoutOf, neighbourCell, TITLE_HEIGHT } from './map-layout';
import { GROUNDS, lookOf } from './map-looks';
import type { Picture } from './map-paint';
import { paint } from './map-paint';

interface Props {
  readonly label: string;
  readonly report: MapReport;
  readonly groups: readonly HostGroup[];
  readonly shades: Shades;
  /** The key of the highlighted kind. */
  readonly only: string | undefined;
  readonly onOpen: (host: MapHost, isElsewhere: boolean) => void;
}

/** Height in pixels that the rest of the page needs above and below the map. */
const AROUND_IT = 276;
const LEAST_HEIGHT = 320;

export function MapCanvas({ label, report, groups, shades, only, onOpen }: Props) {
  const help = useId();
  const canvas = useRef<HTMLCanvasElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const { ref: sized, width: rawWidth } = useElementSize<HTMLDivElement>();
  const frame = useMergedRef(scroller, sized);
  const scheme = useComputedColorScheme('light');
  const area = useArea(rawWidth);
  const [pointed, setPointed] = useState<number>();
  const [cursor, setCursor] = useState<number>();
  const [isFocused, setFocused] = useState(false);
  const [from, setFrom] = useState(0);

  const layout = useMemo(
    () =>
      layoutOf(
        groups.map(({ members }) => members.length),
        area,
      ),
    [groups, area],
  );
  const cells = useMemo(() => groups.flatMap(({ members }) => members), [groups]);
  const hostOf = useCallback(
    (cell: number | undefined): MapHost | undefined => {
      const place = cell === undefined ? undefined : cells[cell];
      return place === undefined ? undefined : report.hosts[place];
    },
    [cells, report],
  );
  const picture = useMemo((): Picture => {
    const looks = new Map(shades.kinds.map(({ key, look }) => [key, lookOf(look, scheme)]));
    return {
      layout,
      titles: groups.map(({ name }) => name),
      kindOf: (cell) => shades.keys[cells[cell] ?? 0] ?? '',
      nameOf: (cell) => hostOf(cell)?.name ?? '',
      noteOf: (cell) => {
        const share = hostOf(cell)?.share ?? null;
        return share === null ? '' : shareText(share);
      },
      looks,
      only,
      ground: GROUNDS[scheme],
      font: getComputedStyle(document.body).fontFamily,
    };
  }, [layout, groups, cells, hostOf, shades, only, scheme]);
  const height = Math.min(area.height, Math.max(layout.height, TITLE_HEIGHT));
  useLayoutEffect(() => {
    if (canvas.current !== null && area.width > 0)
      paintOn(canvas.current, picture, { width: area.width, height, from });
  }, [picture, area.width, height, from]);

  const shown = pointed ?? (isFocused ? cursor : undefined);
  const host = hostOf(shown);
  const corner = shown === undefined ? undefined : cornerOf(layout, shown);
  const pointTo = (event: MouseEvent<HTMLDivElement>): number | undefined => {
    const box = event.currentTarget.getBoundingClientRect();
    return cellAt(layout, { x: event.clientX - box.left, y: event.clientY - box.top });
  };
  const open = (cell: number | undefined, event: KeyboardEvent | MouseEvent): void => {
    const opened = hostOf(cell);
    if (opened !== undefined) onOpen(opened, event.ctrlKey || event.metaKey);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.altKey) return;
    if (event.key === 'Enter') return open(cursor, event);
    const next = neighbourCell(layout, cursor ?? -1, event.key);
    if (next === undefined) return;
    event.preventDefault();
    setPointed(undefined);
    setCursor(next);
    const at = cornerOf(layout, next);
    const { current } = scroller;
    if (at === undefined || current === null) return;
    if (at.y < current.scrollTop + TITLE_HEIGHT) current.scrollTop = at.y - TITLE_HEIGHT;
    if (at.y + layout.pitch > current.scrollTop + height) current.scrollTop = at.y + layout.pitch - height;
  };

  return (
    <div style={{ position: 'relative' }}>
      <div
        ref={frame}
        role="application"
        aria-roledescription="map"
        aria-label={label}
        aria-describedby={help}
        tabIndex={0}
        style={{ height, overflowX: 'hidden', overflowY: layout.height > height ? 'auto' : 'hidden', outlineOffset: 4 }}
        onScroll={({ currentTarget }) => setFrom(currentTarget.scrollTop)}
        onKeyDown={onKey}
        onFocus={() => {
          setFocused(true);
          setCursor((cell) => (cell !== undefined && cell < layout.count ? cell : 0));
        }}
        onBlur={() => setFocused(false)}
      >
        <div
          style={{ position: 'relative', height: layout.height, cursor: pointed === undefined ? 'default' : 'pointer' }}
          onMouseMove={(event) => setPointed(pointTo(event))}
          onMouseLeave={() => setPointed(undefined)}
          onClick={(event) => open(pointTo(event), event)}
        >
          <canvas ref={canvas} aria-hidden style={{ position: 'sticky', top: 0, display: 'block' }} />
          {corner !== undefined && (
            <div
              aria-hidden
              style={{
                position: 'absolute',
                left: corner.x - 2,
                top: corner.y - 2,
                width: layout.pitch - layout.gap + 4,
                height: layout.pitch - layout.gap + 4,
                border: `2px solid ${GROUNDS[scheme].focus}`,
                borderRadius: 2,
                pointerEvents: 'none',
              }}
            />
          )}
        </div>
      </div>
      {host !== undefined && corner !== undefined && (
        <MapHostCard
          host={host}
          report={report}
          phrase={shades.phraseOf?.(host)}
          at={{ x: corner.x, y: corner.y - from }}
          pitch={layout.pitch}
          space={{ width: area.width, height }}
        />
      )}
      <VisuallyHidden id={help}>
        Arrow keys move from host to host, page keys from group to group, Enter opens the host. The same as a table:
        choose Table.
      </VisuallyHidden>
      <VisuallyHidden aria-live="polite">
        {isFocused && pointed === undefined && host !== undefined ? descriptionOf(host, shades.phraseOf?.(host)) : ''}
      </VisuallyHidden>
    </div>
  );
}

/** Area for the map: the width of its container and the rest of the window's height. */
function useArea(rawWidth: number): { readonly width: number; readonly height: number } {
  const viewport = useViewportSize();
  const width = Math.floor(rawWidth);
  const height = Math.max(LEAST_HEIGHT, viewport.height - AROUND_IT);
  return useMemo(() => ({ width, height }), [width, height]);
}

function paintOn(
  canvas: HTMLCanvasElement,
  picture: Picture,
  view: { readonly width: number; readonly height: number; readonly from: number },
): void {
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  const [width, height] = [Math.round(view.width * ratio), Math.round(view.height * ratio)];
  // Setting a canvas size clears the canvas, even if the size is the same.
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.style.width = `${view.width}px`;
  canvas.style.height = `${view.height}px`;
  const context = canvas.getContext('2d', { alpha: false });
  if (context !== null) paint(context, picture, { ...view, ratio });
}
