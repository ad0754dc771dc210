// Which request a line of the log belongs to. Whoever writes a line while working for a request is handed its context:
// carrying it along unseen (AsyncLocalStorage) costs every promise of the process a call.

export interface LogContext {
  readonly requestId: string;
  /** Of the trace that the request belongs to, while traces are sent. */
  readonly traceId?: string | undefined;
  /** The id that the caller sent; null where it sent none. */
  readonly globalRequestId: string | null;
  /** Undefined until the caller is known. */
  readonly principal: { readonly userId: string; readonly projectId: string | null } | undefined;
}

/** The names that a line of the log has. */
interface LogContextFields {
  readonly request_id: string;
  readonly trace_id?: string;
  readonly global_request_id?: string;
  readonly user?: string;
  readonly project?: string;
}

/** The context as fields of a line; what is not known is left out. */
export const contextFields = ({ requestId, traceId, globalRequestId, principal }: LogContext): LogContextFields => ({
  request_id: requestId,
  ...(traceId !== undefined && { trace_id: traceId }),
  ...(globalRequestId !== null && { global_request_id: globalRequestId }),
  ...(principal !== undefined && { user: principal.userId }),
  ...(principal !== undefined && principal.projectId !== null && { project: principal.projectId }),
});
