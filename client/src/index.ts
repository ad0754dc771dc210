// Public exports of the package.
export { cached } from './cached.ts';
export { candidateParams } from './candidates.ts';
export type { CandidateGroup, CandidateQuery, Candidates } from './candidates.ts';
export type { ChangeEvent, ChangeKind, ChangesOptions } from './changes.ts';
export { Client } from './client.ts';
export { noauth, token } from './credentials.ts';
export type { CredentialContext, Credentials } from './credentials.ts';
export {
  ClientError,
  Conflict,
  DuplicateName,
  ERROR_CODES,
  Forbidden,
  GenerationConflict,
  InUse,
  InvalidRequest,
  LoginFailed,
  NotFound,
  NoValidHost,
  Refusal,
  SearchGaveUp,
  TooManyRequests,
  Unanswered,
  Unauthorized,
  Unavailable,
  UnreadableAnswer,
  Unreachable,
  VersionRefused,
  unlessMissing,
} from './errors.ts';
export type { ErrorCode, ErrorObject } from './errors.ts';
export type { components, operations, paths } from './generated/api.ts';
export { keystone } from './keystone.ts';
export type { KeystoneAccount } from './keystone.ts';
export type { Persistence } from './persistence.ts';
export { pages } from './pages.ts';
export type { Answer, Body, Query, Schema } from './routes.ts';
export { Session } from './session.ts';
export type { CallOptions, SessionSettings } from './session.ts';
