// Sends many requests, a few at a time.
import { CLI_LIMITS } from '../../platform/config/limits/processes';

export async function askInParts<T, R>(items: readonly T[], ask: (item: T) => Promise<R>): Promise<R[]> {
  const answers: R[] = [];
  for (let at = 0; at < items.length; at += CLI_LIMITS.askedAtOnce) {
    answers.push(...(await Promise.all(items.slice(at, at + CLI_LIMITS.askedAtOnce).map(ask))));
  }
  return answers;
}
