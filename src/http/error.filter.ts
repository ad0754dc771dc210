// Turns anything thrown into a refusal. What nobody declared is ours: the stack goes to the log, a plain sentence out.
import { Catch, HttpException } from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HTTP_LIMITS } from '../config/limits';
import { ConcurrentUpdate, DomainError, SearchGaveUp, Unavailable } from '../errors/domain-errors';
import { errorRowOf } from '../errors/error-codes';
import { contextFields } from '../logging/log-context';
import { maskUrlPasswords } from '../logging/redaction';
import { CallerGone } from '../turns/turns';
import { sendRefusal } from './error-document';
import type { Refusal } from './error-document';
import { HttpRefusal } from './http-refusal';
import type { RequestContext } from './request-context';

export interface ErrorLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly log: ErrorLog) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const reply = http.getResponse<FastifyReply>();
    if (reply.sent || error instanceof CallerGone) return;
    sendRefusal(request, reply, this.refusalOf(error, request.berth));
  }

  private refusalOf(error: unknown, context: RequestContext): Refusal {
    const { surface } = context;
    if (error instanceof HttpRefusal) return error.refusal;
    if (hasOwnStatus(error)) {
      const { status, code, message: detail, decision } = error;
      if (status >= 500) this.log.warn({ ...contextFields(context), reason: detail }, `answered ${status}`);
      const headers = status === 503 && code !== 'scheduler.search_gave_up' ? RETRY_LATER : {};
      return { status, code, detail, headers, ...(decision !== undefined && { extra: { decision } }) };
    }
    if (error instanceof Unavailable) {
      this.log.warn({ ...contextFields(context), reason: error.message, cause: causeOf(error) }, 'answered 503');
      const headers = { 'retry-after': String(error.retryAfterSeconds) };
      const code = surface === 'scheduler' ? { code: 'scheduler.unavailable' } : {};
      return { status: 503, detail: error.message, headers, ...code };
    }
    if (error instanceof ConcurrentUpdate && error.cause !== undefined) {
      const fields = { ...contextFields(context), cause: causeOf(error) };
      this.log.warn(fields, 'a write kept colliding with others and was given up');
    }
    const row = errorRowOf(error);
    if (row !== undefined) {
      const ofScheduler = error instanceof SearchGaveUp ? 'scheduler.search_gave_up' : SCHEDULER_CODES[row.status];
      const code = surface === 'scheduler' ? (ofScheduler ?? row.code) : row.code;
      return { status: row.status, code, detail: (error as Error).message };
    }
    return this.foreign(error, context);
  }

  private foreign(error: unknown, context: RequestContext): Refusal {
    const status = statusOf(error);
    if (status !== undefined && status < 500) {
      const code = context.surface === 'scheduler' ? SCHEDULER_CODES[status] : undefined;
      return { status, detail: sentence(status, error), ...(code !== undefined && { code }) };
    }
    this.log.error({ ...contextFields(context), err: error }, 'a request failed for a reason of our own');
    return { status: 500, detail: 'The service failed. The reason is in its log, under the request id.' };
  }
}

/** What a driver said, for the log alone. */
const causeOf = ({ cause }: Error): string | undefined =>
  cause instanceof Error ? maskUrlPasswords(cause.message) : undefined;

/** What the scheduler's surface calls refusals that know nothing of it. */
const SCHEDULER_CODES: Readonly<Record<number, string>> = {
  400: 'scheduler.invalid_request',
  404: 'scheduler.not_found',
};

const RETRY_LATER = { 'retry-after': String(HTTP_LIMITS.retryAfterSeconds) };

/** Refusals of the scheduler know their status and code, and carry the decision they come from. */
interface OwnStatus extends DomainError {
  readonly status: number;
  readonly code: string;
  readonly decision?: object;
}

function hasOwnStatus(error: unknown): error is OwnStatus {
  return error instanceof DomainError && 'status' in error && typeof error.status === 'number' && 'code' in error;
}

/** Status of an error of the framework: 404 of the router, 413 of the body parser, and the like. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' && status >= 400 && status < 600 ? status : undefined;
}

function sentence(status: number, error: unknown): string {
  if (status === 413) return `The body is larger than ${HTTP_LIMITS.bodyBytes} bytes.`;
  if (status === 404) return '';
  return error instanceof Error ? error.message : '';
}
