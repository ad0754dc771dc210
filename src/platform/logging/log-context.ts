// The request of a log line. The context is passed explicitly, because AsyncLocalStorage would cost a call for every
// promise of the process.

export interface LogContext {
  readonly requestId: string;
  /** Id of the request's trace, if tracing is on. */
  readonly traceId?: string | undefined;
  /** The id that the caller sent; null if it sent none. */
  readonly globalRequestId: string | null;
  /** Undefined before authentication. */
  readonly principal: { readonly userId: string; readonly projectId: string | null } | undefined;
}

/** The field names in a log line. */
interface LogContextFields {
  readonly request_id: string;
  readonly trace_id?: string;
  readonly global_request_id?: string;
  readonly user?: string;
  readonly project?: string;
}

/** The context as fields of a line; unknown values are left out. */
export const contextFields = ({ requestId, traceId, globalRequestId, principal }: LogContext): LogContextFields => ({
  request_id: requestId,
  ...(traceId !== undefined && { trace_id: traceId }),
  ...(globalRequestId !== null && { global_request_id: globalRequestId }),
  ...(principal !== undefined && { user: principal.userId }),
  ...(principal !== undefined && principal.projectId !== null && { project: principal.projectId }),
});
