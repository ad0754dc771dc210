// The connection to the Berth service of the demo. Every failure becomes a sentence with the next step for the user.
import {
  Client,
  ClientError,
  InUse,
  noauth,
  NotFound,
  Refusal,
  Session,
  Unreachable,
  UnreadableAnswer,
} from '../client/dist/index.js';

const TIMEOUT_MS = 30_000;

/** A failure that is printed without a stack trace. */
export class DemoFailure extends Error {}

/** `url` can end in the path prefix of the service. No request starts after `stop` is aborted. */
export function clientOf({ url, token }, stop) {
  const asked = noauth(token, { roles: ['admin', 'service'] });
  const headers = (context) => {
    if (stop?.aborted) throw new DemoFailure('Interrupted; the demo is removed.');
    return asked.headers(context);
  };
  return new Client(new Session({ endpoint: url, credentials: { ...asked, headers }, timeoutMs: TIMEOUT_MS }));
}

/** Name and version of the scheduler; throws if another program answers. */
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

/** The text of a failure: a sentence, or the stack trace of an unexpected error. */
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

/** Whether the object existed. */
export async function wasThere(call) {
  try {
    await call;
    return true;
  } catch (error) {
    if (error instanceof NotFound) return false;
    throw error;
  }
}

/** Removes an object if it exists. Returns whether it existed. */
export async function remove(name, call) {
  try {
    return await wasThere(call);
  } catch (error) {
    if (!(error instanceof InUse)) throw error;
    throw new DemoFailure(`${name} has allocations that are not the demo's. It was not changed.`);
  }
}
