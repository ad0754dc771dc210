// Speaks REST to a running Berth. Every failure is a sentence that a person can act on.

const TIMEOUT_MS = 30_000;

/** A failure that is told without a stack. */
export class DemoFailure extends Error {}

export class Client {
  /** `url` may end in the prefix that the service is mounted at; `check` is called before every request, and may throw. */
  constructor(url, token, check = () => undefined) {
    this.check = check;
    this.url = url.replace(/\/+$/, '');
    this.headers = {
      accept: 'application/json',
      'x-auth-token': token,
      'x-roles': 'admin,service',
      'openstack-api-version': 'placement 1.39',
    };
  }

  /** `{ status, json }`. Throws unless the status is below 300 or one of `also`. */
  async send(method, path, body, also = []) {
    this.check();
    const response = await this.fetch(method, path, body);
    const text = await response.text();
    const json = parsed(text);
    if (response.status < 300 || also.includes(response.status)) return { status: response.status, json };
    const said = json?.errors?.[0]?.detail?.split('\n\n').at(-1)?.trim() ?? text.slice(0, 200);
    const hint = response.status === 401 || response.status === 403 ? ' Give a token with --token.' : '';
    throw new DemoFailure(`${method} ${path} was answered with ${response.status}: ${said}${hint}`);
  }

  async fetch(method, path, body) {
    try {
      return await fetch(`${this.url}${path}`, {
        method,
        headers: { ...this.headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (error) {
      const cause = error.cause?.code ?? error.cause?.message ?? error.message;
      throw new DemoFailure(
        `Berth is not reachable at ${this.url} (${cause}).\n` +
          'Start it with "npm start" in another terminal, or say where it is: npm run demo -- --url http://host:port',
      );
    }
  }

  /** Name and version of the scheduler; throws where something else answers. */
  async greet() {
    const { status, json } = await this.send('GET', '/scheduler', undefined, [404, 405]);
    if (status < 300 && json?.name === 'berth') return json;
    throw new DemoFailure(`${this.url} answers, but it is not Berth's scheduler. Is the prefix missing in --url?`);
  }
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
