// The Berth that the demo runs on. Every failure is a sentence that a person can act on.
import {
  Client,
  ClientError,
  InUse,
  NotFound,
  Refusal,
  Session,
  Unreachable,
  UnreadableAnswer,
  noauth,
} from '../client/dist/index.js';

const TIMEOUT_MS = 30_000;

/** A failure that is told without a stack. */
export class DemoFailure extends Error {}

/** `url` may end in the prefix that the service is mounted at; `check` is called before every request, and may throw. */
export function clientOf({ url, token }, check) {
  const asked = noauth(token, { roles: ['admin', 'service'] });
  const headers = (context) => {
    check();
    return asked.headers(context);
  };
  return new Client(new Session({ endpoint: url, credentials: { ...asked, headers }, timeoutMs: TIMEOUT_MS }));
}

/** Name and version of the scheduler; throws where something else answers. */
export async function greet(client, url) {
  try {
    const shown = await client.scheduler.show();
    if (shown.name === 'berth') return shown;
  } catch (error) {
    const isAnother = error instanceof NotFound || error instanceof UnreadableAnswer || error.status === 405;
    if (!isAnother) throw error;
  }
  throw new DemoFailure(`${url} answers, but it is not Berth's scheduler. Is the prefix missing in --url?`);
}

/** What a failure is told as: a sentence, or the stack of what should not have happened. */
export function sentenceOf(error, url) {
  if (error instanceof Unreachable) {
    return (
      `Berth is not reachable at ${url} (${error.cause?.cause?.code ?? error.message}).\n` +
      'Start it with "npm start" in another terminal, or say where it is: npm run demo -- --url http://host:port'
    );
  }
  const hint = error instanceof Refusal && [401, 403].includes(error.status) ? ' Give a token with --token.' : '';
  return error instanceof ClientError || error instanceof DemoFailure ? `${error.message}${hint}` : error.stack;
}

/** Whether there was anything to do it to. */
export async function wasThere(call) {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}

/** Removes what may be gone already. Answers whether it was there. */
export async function remove(name, call) {
  try {
    return await wasThere(call);
  } catch (error) {
    if (!(error instanceof InUse)) throw error;
    throw new DemoFailure(`${name} is used by somebody else than the demo, so it was left alone.`);
  }
}
