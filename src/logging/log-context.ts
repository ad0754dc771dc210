// Which request the code is working for, carried along its asynchronous calls, so that every line of the log can say so
// without anybody passing it on.

import { AsyncLocalStorage } from 'node:async_hooks';

export interface LogContext {
  readonly requestId: string;
  /** The id that the caller sent; null where it sent none. */
  readonly globalRequestId: string | null;
  /** Null until the caller is known. */
  readonly userId: string | null;
  readonly projectId: string | null;
}

/** The names that a line of the log has. */
export interface LogContextFields {
  readonly request_id: string;
  readonly global_request_id?: string;
  readonly user?: string;
  readonly project?: string;
}

const storage = new AsyncLocalStorage<{ current: LogContext }>();

/** Runs `work`, and everything it awaits, for one request. */
export const runWithLogContext = <T>(context: LogContext, work: () => T): T => storage.run({ current: context }, work);

/** Adds what became known meanwhile, such as the caller, for the rest of the running request; outside of one, nothing. */
export const amendLogContext = (facts: Partial<LogContext>): void => {
  const holder = storage.getStore();
  if (holder !== undefined) holder.current = { ...holder.current, ...facts };
};

export const currentLogContext = (): LogContext | undefined => storage.getStore()?.current;

/** The context as fields of a line; what is not known is left out. */
export const logContextFields = (): LogContextFields | Record<string, never> => {
  const context = currentLogContext();
  if (context === undefined) return {};
  return {
    request_id: context.requestId,
    ...(context.globalRequestId === null ? {} : { global_request_id: context.globalRequestId }),
    ...(context.userId === null ? {} : { user: context.userId }),
    ...(context.projectId === null ? {} : { project: context.projectId }),
  };
};
