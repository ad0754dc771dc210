// Creates the API documents without a running service or a database: composes the modules and reads their routes.
import { AppModule, documentSettings } from '../app.module';
import { OPTION_TABLE } from '../options';
import { MICROVERSIONS } from '../placement/microversions';
import { Noauth2Authenticator } from '../platform/auth/noauth2';
import { createPolicyEnforcer } from '../platform/auth/policy-enforcer';
import type { LoadConfigInput } from '../platform/config/load-config';
import { Admission } from '../platform/http/admission';
import type { DeclaredRoute } from '../platform/http/declared-routes';
import { RequestCounters } from '../platform/http/request-counters';
import { createLogger } from '../platform/logging/logger';
import { ApiDocuments } from '../platform/openapi/documents';
import { Lifecycle } from '../platform/operations/lifecycle';
import { VERSION } from '../platform/version';
import { loadConfigWithPlugins, schedulerOf } from '../scheduler/assemble/configured-scheduler';

interface PrintedDocuments {
  readonly routes: readonly DeclaredRoute[];
  readonly versions: readonly string[];
  /** The document as JSON; `latest` is the newest. Undefined if there is no such version. */
  textOf(version: string): Promise<string | undefined>;
}

/** The requests, as `METHOD path`, that each policy rule protects, by rule name. */
export async function operationsByRule(): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const { routes } = await printedDocuments({ env: { BERTH_PRACTICE_CLOUD__ENABLED: 'true' }, cwd: '/nonexistent' });
  for (const { policy, method, path } of routes) {
    if (policy !== undefined) found.set(policy, [...(found.get(policy) ?? []), `${method} ${path}`]);
  }
  return found;
}

/** Of the configuration, only the prefix and the enabled surfaces affect the document. */
export async function printedDocuments(input: LoadConfigInput): Promise<PrintedDocuments> {
  const loaded = await loadConfigWithPlugins(OPTION_TABLE, input);
  const root = AppModule.forRoot({
    loaded,
    logger: createLogger({ level: 'silent' }),
    lifecycle: new Lifecycle(),
    scheduler: schedulerOf(loaded, VERSION),
    authenticator: new Noauth2Authenticator(),
    policies: createPolicyEnforcer({ enforceNewDefaults: true, enforceScope: true }),
    builtConsole: undefined,
    requests: new RequestCounters(),
    admission: new Admission({ waitingOfClient: 0, isBehindProxy: false }),
  });
  const documents = new ApiDocuments(() => root, documentSettings(loaded.config));
  return {
    routes: documents.routes,
    versions: MICROVERSIONS.all.map(({ text }) => text),
    async textOf(version) {
      const api = version === 'latest' ? MICROVERSIONS.newest : MICROVERSIONS.find(version);
      return api && (await documents.textOf(api)).toString();
    },
  };
}
