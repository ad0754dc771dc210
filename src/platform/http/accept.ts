// Parses `Accept`: whether the client accepts JSON, and the format of error answers.
import { JSON_TYPE } from './json-body';

export type ErrorFormat = 'json' | 'html' | 'text';

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

/** The quality of the most specific range that covers `type`; 0 if none does. */
function quality(header: string, type: string): number {
  const group = `${type.split('/')[0]}/*`;
  const all = ranges(header);
  for (const pattern of [type, group, '*/*']) {
    const hit = all.find((range) => range.type === pattern);
    if (hit !== undefined) return hit.quality;
  }
  return 0;
}

/** Whether every part is a media range with a valid quality. */
function isReadable(header: string): boolean {
  return header.split(',').every((part) => {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    const qualities = parameters.filter((parameter) => parameter.startsWith('q='));
    const isRange = /^[^\s/]+\/[^\s/]+$/.test(type) || part.trim() === '';
    return isRange && qualities.every((text) => /^q=(?:0(?:\.\d*)?|1(?:\.0*)?)$/.test(text));
  });
}

/** The header; undefined if it is missing, empty or malformed, because the client then accepts any type. */
const readable = (header: string | undefined): string | undefined =>
  header === undefined || header.trim() === '' || !isReadable(header) ? undefined : header;

export function acceptsJson(header: string | undefined): boolean {
  const accept = readable(header);
  return accept === undefined || quality(accept, JSON_TYPE) > 0;
}

/** HTML if its quality is higher than that of JSON, otherwise JSON if it is acceptable, otherwise plain text. */
export function errorFormat(header: string | undefined): ErrorFormat {
  const accept = readable(header);
  if (accept === undefined) return 'json';
  const json = quality(accept, JSON_TYPE);
  if (quality(accept, 'text/html') > json) return 'html';
  return json > 0 ? 'json' : 'text';
}
