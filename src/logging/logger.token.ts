// How slices ask for the logger: by token, and only for what they need of it.

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
  info(fields: object, message: string): void;
  debug(fields: object, message: string): void;
  isLevelEnabled(level: string): boolean;
}
