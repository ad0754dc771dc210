// The configuration that the service serves to the console before login.
import { CONSOLE_PATH } from '../address/base';

export type LoginKind = 'noauth' | 'token' | 'password';

export interface ConsoleConfig {
  readonly version: string;
  /** Build of the page that the service has now; null if it has none. */
  readonly build: string | null;
  /** Path prefix of the Placement API; '' for none. */
  readonly api_prefix: string;
  readonly logins: readonly LoginKind[];
  readonly default_domain: string;
}

export async function readConsoleConfig(): Promise<ConsoleConfig> {
  const answer = await fetch(`${CONSOLE_PATH}/config.json`, { headers: { accept: 'application/json' } });
  if (!answer.ok) throw new Error(`The service answered ${answer.status} when it was asked how to log in.`);
  return (await answer.json()) as ConsoleConfig;
}
