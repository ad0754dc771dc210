// Reads `Accept`: is JSON welcome, and in which format does an error go out?

type ErrorFormat = 'json' | 'html' | 'text';

interface Range {
  readonly type: string;
  readonly quality: number;
}

function ranges(header: string): readonly Range[] {
  return header
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
      const q = parameters.find((parameter) => parameter.startsWith('q='));
      const quality = q === undefined ? 1 : Number(q.slice(2));
      return { type, quality: Number.isFinite(quality) ? quality : 0 };
    })
    .filter((range) => range.type.includes('/'));
}

/** The quality of the most specific range that covers `type`; 0 when none does. */
function quality(header: string, type: string): number {
  const group = `${type.split('/')[0]}/*`;
  const all = ranges(header);
  for (const pattern of [type, group, '*/*']) {
    const hit = all.find((range) => range.type === pattern);
    if (hit !== undefined) return hit.quality;
  }
  return 0;
}

/** Whether every part is a media range with a quality that is one. */
function isReadable(header: string): boolean {
  return header.split(',').every((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const qualities = parameters.filter((parameter) => parameter.startsWith('q='));
    const isRange = /^[^\s/]+\/[^\s/]+$/.test(type) || part.trim() === '';
    return isRange && qualities.every((text) => /^q=(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(text));
  });
}

/** No header, an empty one, or one that cannot be read accepts everything. */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '' || !isReadable(header)) return true;
  return quality(header, 'application/json') > 0;
}

/** JSON if acceptable, else HTML if asked for, else plain text. */
export function errorFormat(header: string | undefined): ErrorFormat {
  if (acceptsJson(header)) return 'json';
  return header !== undefined && quality(header, 'text/html') > 0 ? 'html' : 'text';
}
