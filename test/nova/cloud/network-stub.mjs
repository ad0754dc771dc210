// As much of the network API as nova calls for servers without networks: every list is empty.
import { createServer } from 'node:http';

const LISTS = ['networks', 'ports', 'subnets', 'security-groups', 'floatingips', 'extensions', 'agents', 'quotas'];

/** Listens on the port; `close()` ends it. */
export async function startNetworkStub(port) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://stub');
    const [, version, name = ''] = pathname.split('/');
    response.setHeader('content-type', 'application/json');
    request.resume();
    if (version === undefined || version === '') {
      const links = [{ rel: 'self', href: `http://127.0.0.1:${port}/v2.0/` }];
      response.end(JSON.stringify({ versions: [{ id: 'v2.0', status: 'CURRENT', links }] }));
      return;
    }
    const known = LISTS.includes(name.replace(/\.json$/, ''));
    response.statusCode = known ? 200 : 404;
    response.end(JSON.stringify(known ? { [name.replace(/\.json$/, '').replaceAll('-', '_')]: [] } : {}));
  });
  await new Promise((listening) => server.listen(port, '127.0.0.1', listening));
  return server;
}
