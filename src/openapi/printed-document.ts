// The document without a service and without a database: the modules are put together and asked for their routes.
import { AppModule } from '../app.module';
import { Noauth2Authenticator } from '../auth/noauth2';
import type { LoadConfigInput } from '../config/load-config';
import { RequestTally } from '../http/request-tally';
import { mountPathOf } from '../http/surface';
import { createLogger } from '../logging/logger';
import { ApiVersion } from '../microversion/api-version';
import { Lifecycle } from '../operations/lifecycle';
import { WorkerChannel } from '../operations/worker-channel';
import { loadConfigWithPlugins, schedulerOf } from '../scheduler/assemble/configured-scheduler';
import { VERSION } from '../version';
import { ApiDocuments } from './documents';

/** As JSON; undefined where there is no such version. Of the configuration only the prefix shows. */
export async function printedDocument(input: LoadConfigInput, version: string): Promise<string | undefined> {
  const api = version === 'latest' ? ApiVersion.newest : ApiVersion.find(version);
  if (api === undefined) return undefined;
  const loaded = await loadConfigWithPlugins(input);
  const workers = new WorkerChannel();
  const root = AppModule.forRoot({
    loaded,
    workers,
    logger: createLogger({ level: 'silent' }),
    lifecycle: new Lifecycle(),
    scheduler: schedulerOf(loaded, VERSION),
    authenticator: new Noauth2Authenticator(),
    audit: null,
    requests: new RequestTally(),
  });
  const documents = new ApiDocuments(() => root, { urlPrefix: mountPathOf(loaded.config.berth.url_prefix) });
  const text = await documents.textOf(api);
  workers.close();
  return text.toString();
}
