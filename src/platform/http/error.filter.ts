// Turns any thrown error into a refusal. An undeclared error is a fault of the service: its stack goes to the log, the
// client gets a generic sentence.
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Catch, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CallerGone } from '../event-loop/caller';
import { contextFields } from '../logging/log-context';
import { maskSecrets } from '../logging/redaction';
import type { ErrorCode } from '../values/errors';
import { ConcurrentUpdate, DomainError } from '../values/errors';
import { bodyLimitOf } from './body-limit';
import type { Refusal } from './error-document';
import { refusalOfError, sendRefusal } from './error-document';

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
    if (error instanceof CallerGone) request.berth.auditContext?.abandoned();
    if (reply.sent || error instanceof CallerGone) return;
    sendRefusal(request, reply, this.refusalOf(error, request), this.log);
  }

  private refusalOf(error: unknown, request: FastifyRequest): Refusal {
    const { berth: context } = request;
    if (!(error instanceof DomainError)) return this.foreign(error, request);
    if (error.code === 'outcome_unknown') context.auditContext?.note({ isOutcomeUnknown: true });
    const refusal = refusalOfError(error, context.surface);
    const fields = { ...contextFields(context), cause: causeOf(error) };
    if (refusal.status >= 500) this.log.warn({ ...fields, reason: error.message }, `answered ${refusal.status}`);
    else if (error instanceof ConcurrentUpdate && error.cause !== undefined) {
      this.log.warn(fields, 'a write kept colliding with others and was given up');
    }
    return refusal;
  }

  private foreign(error: unknown, { berth: context, routeOptions }: FastifyRequest): Refusal {
    const code = frameworkCode(statusOf(error));
    if (code !== undefined) {
      return refusalOfError(new DomainError(code, sentence(code, error, bodyLimitOf(routeOptions))), context.surface);
    }
    this.log.error({ ...contextFields(context), err: error }, 'a request failed for a reason of our own');
    return { status: 500, detail: 'The service failed. The reason is in its log, under the request id.' };
  }
}

/** The driver's message, for the log only. */
const causeOf = ({ cause }: Error): string | undefined =>
  cause instanceof Error ? maskSecrets(cause.message) : undefined;

/** Refusals of the framework itself: unknown routes, and bodies that its parser rejects. */
const FRAMEWORK_CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'invalid_input',
  404: 'not_found',
  413: 'too_large',
  415: 'unsupported_media_type',
};

/** Other 4xx errors of the framework are also the client's fault. */
const frameworkCode = (status = 0): ErrorCode | undefined =>
  FRAMEWORK_CODES[status] ?? (status >= 400 && status < 500 ? 'invalid_input' : undefined);

function statusOf(error: unknown): number | undefined {
  if (error instanceof HttpException) return error.getStatus();
  const status = (error as { statusCode?: unknown } | null)?.statusCode;
  return typeof status === 'number' ? status : undefined;
}

function sentence(code: ErrorCode, error: unknown, bodyLimit: string): string {
  if (code === 'too_large') return `The body is larger than ${bodyLimit}.`;
  if (code === 'not_found') return '';
  return error instanceof Error ? error.message : '';
}
