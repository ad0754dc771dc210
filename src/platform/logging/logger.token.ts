// Injection token of the logger, and narrow interfaces for slices.

export const LOGGER = Symbol('logger');

export interface WarnLog {
  warn(fields: object, message: string): void;
}

export interface InfoLog extends WarnLog {
  info(fields: object, message: string): void;
}

export interface SearchLog extends WarnLog {
  debug(fields: object, message: string): void;
}

export interface DecisionLog {
  error(fields: object, message: string): void;
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  isLevelEnabled(level: string): boolean;
}
