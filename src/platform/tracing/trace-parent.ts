// The headers of W3C Trace Context, received from callers and sent to other services. Malformed headers are ignored.
import type { SpanContext } from '@opentelemetry/api';
import { createTraceState, isSpanContextValid, TraceFlags } from '@opentelemetry/api';

/** Headers of a trace that a caller sends; longer ones count as not sent. */
const HEADER_CHARACTERS = 512;

const PARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
const FIRST_VERSION_CHARACTERS = 55;

type Header = string | readonly string[] | undefined;

export function traceParentOf(parent: Header, state: Header): SpanContext | undefined {
  if (typeof parent !== 'string' || parent.length > HEADER_CHARACTERS) return undefined;
  const text = parent.trim();
  const [, traceId = '', spanId = '', flags = ''] = PARENT.exec(text) ?? [];
  if (text.startsWith('00') && text.length !== FIRST_VERSION_CHARACTERS) return undefined;
  const known = {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
    ...(typeof state === 'string' && state.length <= HEADER_CHARACTERS && { traceState: createTraceState(state) }),
  };
  return isSpanContextValid(known) ? known : undefined;
}

export function traceParentText({
  traceId,
  spanId,
  traceFlags,
  traceState,
}: SpanContext): Readonly<Record<string, string>> {
  const state = traceState?.serialize() ?? '';
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    ...(state !== '' && { tracestate: state }),
  };
}
