// Finds the MySQL or MariaDB server for tests: BERTH_TEST_MYSQL_URL, otherwise root without password on this machine.
import { createConnection } from 'mysql2/promise';

const DEFAULT_URL = 'mysql://root@127.0.0.1:3306';
const CONNECT_TIMEOUT_MS = 3_000;

/** `{ url, version }` of the server, or undefined if none answers. */
export async function reachableMysql(url = process.env.BERTH_TEST_MYSQL_URL || DEFAULT_URL) {
  if (url === 'none') return undefined;
  const { hostname, port, username, password } = new URL(url);
  try {
    const connection = await createConnection({
      host: hostname,
      port: Number(port || 3306),
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
      connectTimeout: CONNECT_TIMEOUT_MS,
    });
    const [[row]] = await connection.query('SELECT VERSION() AS version');
    await connection.end();
    return { url, version: row.version };
  } catch (error) {
    if (process.env.BERTH_TEST_MYSQL_URL) console.error(`No MySQL at BERTH_TEST_MYSQL_URL: ${error.message}`);
    return undefined;
  }
}
