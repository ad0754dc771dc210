// OpenTelemetry spans, exported by OTLP over HTTP as JSON. The only file that uses the OpenTelemetry SDK. The library
// itself reads the standard variables for sampling and batches.
import type { Context, Span, Tracer } from '@opentelemetry/api';
import { propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import type { TracingConfig } from '../config/tracing-settings';
import { maskTokens } from '../logging/redaction';
import type { Attributes, PieceKind, RequestEnding, RequestHead, WatchedRequest } from './tracing';

/** Of a span. */
const ATTRIBUTES_MAX = 32;
const ATTRIBUTE_CHARACTERS = 2_000;
/** Sending one batch of spans. */
const EXPORT_MS = 10_000;

type Resource = NonNullable<NonNullable<ConstructorParameters<typeof NodeTracerProvider>[0]>['resource']>;

const KINDS: Readonly<Record<PieceKind, SpanKind>> = {
  stage: SpanKind.INTERNAL,
  filter: SpanKind.INTERNAL,
  statement: SpanKind.CLIENT,
  question: SpanKind.CLIENT,
};
const SERVER_ERROR = 500;

export class Spans {
  private readonly provider: NodeTracerProvider;
  private readonly tracer: Tracer;

  constructor(config: TracingConfig, version: string) {
    const exporter = new OTLPTraceExporter({
      url: config.url,
      headers: { ...config.headers },
      timeoutMillis: EXPORT_MS,
    });
    this.provider = new NodeTracerProvider({
      resource: resourceOf({ ...config.resource, 'service.name': config.serviceName, 'service.version': version }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
      spanLimits: {
        attributeValueLengthLimit: ATTRIBUTE_CHARACTERS,
        attributeCountLimit: ATTRIBUTES_MAX,
      },
    });
    // Only for the headers of W3C Trace Context.
    this.provider.register({ contextManager: null });
    this.tracer = this.provider.getTracer('berth', version);
  }

  /** A span with the caller's span as parent, if the request has one. */
  ofRequest({ requestId, surface }: WatchedRequest, { method, path, headers }: RequestHead): OpenSpan {
    const parent = propagation.extract(ROOT_CONTEXT, headers);
    const attributes = {
      'http.request.method': method,
      'url.path': maskTokens(path),
      'berth.request_id': requestId,
      'berth.surface': surface,
    };
    return new OpenSpan(
      this.tracer,
      this.tracer.startSpan(method, { kind: SpanKind.SERVER, attributes }, parent),
      method,
    );
  }

  /** Sends the queued spans within a time limit. */
  async close(): Promise<void> {
    await this.provider.shutdown().catch(() => undefined);
    trace.disable();
    propagation.disable();
  }
}

export class OpenSpan {
  private readonly context: Context;

  constructor(
    private readonly tracer: Tracer,
    private readonly span: Span,
    private readonly method = '',
  ) {
    this.context = trace.setSpan(ROOT_CONTEXT, span);
  }

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  child(kind: PieceKind, name: string, attributes: Attributes): OpenSpan {
    // A statement's span is named after its first word; the full text is an attribute.
    const isStatement = kind === 'statement';
    const title = isStatement ? (/^\s*(\w+)/.exec(name)?.[1] ?? kind) : name;
    const all = isStatement ? { ...attributes, 'db.query.text': name } : attributes;
    return new OpenSpan(
      this.tracer,
      this.tracer.startSpan(title, { kind: KINDS[kind], attributes: all }, this.context),
    );
  }

  end(more: Attributes = {}, error?: unknown): void {
    this.span.setAttributes(more);
    if (error !== undefined) {
      // Only class and code, because a driver's message can contain parameters.
      const { name, code } = error as { readonly name?: unknown; readonly code?: unknown };
      this.span.setStatus({ code: SpanStatusCode.ERROR });
      this.span.setAttribute('error.type', typeof code === 'string' ? code : String(name));
    }
    this.span.end();
  }

  endRequest({ route, status }: RequestEnding): void {
    if (route !== undefined) {
      this.span.updateName(`${this.method} ${route}`);
      this.span.setAttribute('http.route', route);
    }
    this.span.setAttribute('http.response.status_code', status);
    if (status >= SERVER_ERROR) this.span.setStatus({ code: SpanStatusCode.ERROR });
    this.span.end();
  }

  headers(): Readonly<Record<string, string>> {
    const headers: Record<string, string> = {};
    propagation.inject(this.context, headers);
    return headers;
  }
}

function resourceOf(attributes: Readonly<Record<string, string>>): Resource {
  const resource: Resource = {
    attributes,
    merge: () => resource,
    getRawAttributes: () => Object.entries(attributes),
  };
  return resource;
}
