import { parseDatabaseUrl } from './database-url';
import { loadConfig } from './load-config';
import { OptionTable } from './option-table';
import { PLATFORM_OPTIONS } from './platform-options';

const PLATFORM_TABLE = new OptionTable({ groups: PLATFORM_OPTIONS });

const MYSQL = {
  kind: 'mysql',
  hosts: [{ host: 'db', port: 3306 }],
  socketPath: null,
  user: 'u',
  password: 'p',
  database: 'b',
  tls: null,
};

describe('a database address', () => {
  it.each([
    ['sqlite:///berth.db', { kind: 'sqlite', path: '/srv/berth.db' }],
    ['sqlite:///data/berth.db', { kind: 'sqlite', path: '/srv/data/berth.db' }],
    ['sqlite:////var/lib/b.db', { kind: 'sqlite', path: '/var/lib/b.db' }],
    ['sqlite:////var/a%20b.db?timeout=5', { kind: 'sqlite', path: '/var/a b.db' }],
    ['mysql://u:p@db/b', MYSQL],
    ['mysql+pymysql://u:p@db:3307/b?charset=utf8mb4', { ...MYSQL, hosts: [{ host: 'db', port: 3307 }] }],
    ['mariadb://u:p@db/b', MYSQL],
    ['mysql://u@db/b', { ...MYSQL, password: '' }],
    ['mysql://u:p%40%2F:x@db/b', { ...MYSQL, password: 'p@/:x' }],
    ['mysql://u:p@ss@db/b', { ...MYSQL, password: 'p@ss' }],
    ['mysql://u:100%@db/b', { ...MYSQL, password: '100%' }],
    ['mysql://u:p@[::1]:3306/b', { ...MYSQL, hosts: [{ host: '::1', port: 3306 }] }],
    ['mysql://u:p@[fe80::1]/b', { ...MYSQL, hosts: [{ host: 'fe80::1', port: 3306 }] }],
    ['mysql://u:p@:3307/b', { ...MYSQL, hosts: [{ host: 'localhost', port: 3307 }] }],
    [
      'mysql://u:p@db,db2:3307,[::1]:3308,[::2]/b',
      {
        ...MYSQL,
        hosts: [
          { host: 'db', port: 3306 },
          { host: 'db2', port: 3307 },
          { host: '::1', port: 3308 },
          { host: '::2', port: 3306 },
        ],
      },
    ],
    [
      'mysql+pymysql://u:p@x,y@db, db2/b?ssl_ca=/ca.pem',
      {
        ...MYSQL,
        password: 'p@x,y',
        hosts: [
          { host: 'db', port: 3306 },
          { host: 'db2', port: 3306 },
        ],
        tls: { caFile: '/ca.pem', certFile: null, keyFile: null },
      },
    ],
    [
      'mysql://u:p@/b?unix_socket=/run/m.sock',
      { ...MYSQL, hosts: [{ host: 'localhost', port: 3306 }], socketPath: '/run/m.sock' },
    ],
    ['mysql://u:p@db/b?ssl_ca=/ca.pem', { ...MYSQL, tls: { caFile: '/ca.pem', certFile: null, keyFile: null } }],
  ])('%s is understood', (text, expected) => {
    expect(parseDatabaseUrl(text, '/srv')).toEqual({ ok: true, address: expected, warnings: [] });
  });

  it.each([
    ['sqlite://', 'sqlite:///relative/path'],
    ['sqlite:///', 'must name a file'],
    ['sqlite:///:memory:', 'must name a file'],
    ['berth.db', 'must be an address'],
    ['postgresql://u:S3CRET@db/b', 'postgresql is not supported'],
    ['mysql://u:S3CRET@db', 'must name the database'],
    ['mysql://db/b', 'must name a user'],
    ['mysql://u:S3CRET@db:99999/b', 'port between'],
    ['mysql://u:S3CRET@db/b?ssl_key=/k', 'must have ssl_ca'],
    ['mysql://u:S3CRET@db1,,db2/b', 'must name its host 2'],
    ['mysql://u:S3CRET@db1,:3307/b', 'must name its host 2'],
    ['mysql://u:S3CRET@db1,db2:x/b', 'must name its host 2'],
    ['mysql://u:S3CRET@db1,db2:0/b', 'port between'],
    ['mysql://u:S3CRET@db1,[::1/b', 'must be mysql://'],
    ['mysql://u:S3CRET@::1/b', 'must name its host 1'],
    ['mysql://u:S3CRET@db1,db2,db1:3306/b', 'must not name its host 3 twice'],
    ['mysql://u:S3CRET/b', 'must name'],
    [`mysql://u:S3CRET@${Array.from({ length: 17 }, (_, n) => `db${n}`).join(',')}/b`, 'more than 16'],
  ])('%s is refused without showing the password', (text, problem) => {
    const result = parseDatabaseUrl(text, '/srv');
    expect(result).toEqual({ ok: false, problem: expect.stringContaining(problem) });
    expect(JSON.stringify(result)).not.toContain('S3CRET');
  });

  it('is warned about if it asks for what has no effect', () => {
    expect(parseDatabaseUrl('mysql://u:p@db/b?charset=utf8&foo=1', '/srv')).toMatchObject({
      warnings: ['charset=utf8 has no effect: it is always utf8mb4', 'parameter foo has no effect'],
    });
  });

  const choose = (env: Record<string, string>, file: string): unknown =>
    loadConfig(PLATFORM_TABLE, { env, cwd: '/srv', readFile: () => file }).database;

  it('comes from DATABASE_URL before the option, with the pool of the options', () => {
    const file =
      '[placement_database]\nconnection = mysql://u:p@db/b\nmax_pool_size = 3\nmax_overflow = 4\npool_timeout = 2';
    expect(choose({}, file)).toEqual({ ...MYSQL, poolSize: 7, acquireTimeoutMs: 2_000 });
    expect(choose({ DATABASE_URL: 'sqlite:///x.db' }, file)).toEqual({ kind: 'sqlite', path: '/srv/x.db' });
    for (const unlimited of ['max_pool_size = 0', 'max_overflow = -1']) {
      expect(choose({}, `[placement_database]\nconnection = mysql://u:p@db/b\n${unlimited}`)).toMatchObject({
        poolSize: 64,
      });
    }
  });
});
