// Counts the statements that the drivers send, including BEGIN and COMMIT. It counts only statements of the watched
// work: background work of the process and the creation of a connection's lane are excluded. It patches the prototypes
// of the drivers. So one counter serves a whole test file and is removed at the end of the file.
import { AsyncLocalStorage } from 'node:async_hooks';
import * as mysql from 'mysql2';
import { BATCH_SEPARATOR } from '../../src/platform/database/connections';
import { Sqlite } from '../../src/platform/database/sqlite-driver';

export interface StatementCounter {
  /** Runs the work and returns the text of every statement sent by it, in order. */
  during(work: () => Promise<unknown>): Promise<readonly string[]>;
  uninstall(): void;
}

const OPENS_LANE = /^INSERT INTO writer_lanes /;

type Method = (this: object, ...args: unknown[]) => unknown;

interface Patch {
  readonly owner: Record<string, unknown>;
  readonly name: string;
  readonly original: unknown;
}

export function installStatementCounter(): StatementCounter {
  const patches: Patch[] = [];
  const watched = new AsyncLocalStorage<string[]>();

  /** `textOf` returns the statement of a call; undefined if the call sends none itself. */
  const wrap = (owner: object, name: string, textOf: (self: object, args: unknown[]) => string | undefined): void => {
    const methods = owner as Record<string, unknown>;
    const original = methods[name] as Method;
    patches.push({ owner: methods, name, original });
    methods[name] = function counted(this: object, ...args: unknown[]): unknown {
      const text = textOf(this, args);
      if (text !== undefined && !OPENS_LANE.test(text)) watched.getStore()?.push(...text.split(BATCH_SEPARATOR));
      return original.apply(this, args);
    } satisfies Method;
  };

  wrapSqlite(wrap);
  wrapMysql(wrap);
  return {
    during: async (work) => {
      if (watched.getStore() !== undefined) throw new Error('statements are being counted already');
      const statements: string[] = [];
      await watched.run(statements, work);
      return statements;
    },
    uninstall: () => {
      for (const { owner, name, original } of patches.reverse()) owner[name] = original;
    },
  };
}

type Wrap = (owner: object, name: string, textOf: (self: object, args: unknown[]) => string | undefined) => void;

/**
 * Prepared statements are objects of the native addon. Patching their prototype also covers statements that were
 * prepared before.
 */
function wrapSqlite(wrap: Wrap): void {
  const database = new Sqlite(':memory:');
  const statement = Object.getPrototypeOf(database.prepare('SELECT 1')) as object;
  database.close();
  for (const name of ['run', 'all', 'get', 'iterate'])
    wrap(statement, name, (self) => (self as { source: string }).source);
  wrap(Sqlite.prototype, 'exec', (_self, [text]) => String(text));
}

/** The connection of the callback API. Pools and the promise API use the same class. */
function wrapMysql(wrap: Wrap): void {
  const { Connection } = mysql as unknown as { Connection: { prototype: object } };
  for (const name of ['query', 'execute']) {
    const owner = ownerOf(Connection.prototype, name);
    // A command object comes from a wrapped call with a text, which was counted already.
    wrap(owner, name, (_self, [command]) => textOfCommand(command));
  }
}

function textOfCommand(command: unknown): string | undefined {
  if (typeof command === 'string') return command;
  const { sql } = command as { sql?: unknown };
  return typeof sql === 'string' ? sql : undefined;
}

function ownerOf(prototype: object, name: string): object {
  for (let owner: object | null = prototype; owner !== null; owner = Object.getPrototypeOf(owner) as object | null) {
    if (Object.hasOwn(owner, name)) return owner;
  }
  throw new Error(`the driver has no method ${name}`);
}
