// Reads the standard OpenTelemetry variables for traces. Tracing is on if an endpoint is set; the library itself reads
// the variables for sampling and batches.
import { unescape } from 'node:querystring';

export interface TracingConfig {
  /** Endpoint for spans: OTLP over HTTP as JSON. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly resource: Readonly<Record<string, string>>;
}

interface TracingReading {
  /** Null if tracing is off. */
  readonly tracing: TracingConfig | null;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

const OFF = { tracing: null, problems: [], warnings: [] } as const;
const SPOKEN = 'http/json';

export function readTracingSettings(env: Environment): TracingReading {
  const said = (name: string): string => env[name]?.trim() ?? '';
  const exporters = said('OTEL_TRACES_EXPORTER')
    .split(',')
    .map((name) => name.trim());
  const own = said('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT');
  const common = said('OTEL_EXPORTER_OTLP_ENDPOINT');
  if (said('OTEL_SDK_DISABLED').toLowerCase() === 'true' || (own === '' && common === '')) return OFF;
  if (!exporters.includes('otlp') && exporters.join('') !== '') return OFF;
  const name = own === '' ? 'OTEL_EXPORTER_OTLP_ENDPOINT' : 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT';
  const url = own === '' ? `${common.replace(/\/+$/, '')}/v1/traces` : own;
  if (!isWebAddress(url)) {
    return { tracing: null, problems: [`environment variable ${name} must be an http(s) address`], warnings: [] };
  }
  const protocol = said('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || said('OTEL_EXPORTER_OTLP_PROTOCOL');
  const warnings =
    protocol === '' || protocol === SPOKEN ? [] : [`traces are sent as ${SPOKEN}; "${protocol}" is not spoken`];
  const headers = said('OTEL_EXPORTER_OTLP_TRACES_HEADERS') || said('OTEL_EXPORTER_OTLP_HEADERS');
  const resource = pairsOf(said('OTEL_RESOURCE_ATTRIBUTES'));
  const serviceName = said('OTEL_SERVICE_NAME') || (resource['service.name'] ?? 'berth');
  return { tracing: { url, headers: pairsOf(headers), serviceName, resource }, problems: [], warnings };
}

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** `key=value,key=value`, percent-encoded; other parts are ignored. */
function pairsOf(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((part): (readonly [string, string])[] => {
    const at = part.indexOf('=');
    const name = part.slice(0, Math.max(0, at)).trim();
    return name === '' ? [] : [[name, unescape(part.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}
