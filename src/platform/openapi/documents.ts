// Creates the API document of each version on first request and caches it. There is one document per version.
import type { DynamicModule } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../event-loop/caller';
import { tasks } from '../event-loop/task-scheduler';
import type { DeclaredRoute } from '../http/declared-routes';
import { declaredRoutes } from '../http/declared-routes';
import type { ApiVersion } from '../microversion/api-version';
import type { DocumentSettings } from './document';
import { ApiDocument } from './document';

/** Documents that are kept, one a version, of about 150 KiB each. */
const DOCUMENTS_MAX = 40;

export class ApiDocuments {
  private readonly texts = new LRUCache<string, Buffer>({ max: DOCUMENTS_MAX });
  private declared: readonly DeclaredRoute[] | undefined;

  constructor(
    /** The root module, available after the application has been composed. */
    private readonly root: () => DynamicModule,
    readonly settings: DocumentSettings,
  ) {}

  get routes(): readonly DeclaredRoute[] {
    return (this.declared ??= declaredRoutes(this.root(), this.settings.mounts));
  }

  /** The document as JSON text. */
  async textOf(api: ApiVersion, caller?: Caller): Promise<Buffer> {
    const known = this.texts.get(api.text);
    if (known !== undefined) return known;
    const made = new ApiDocument(api, this.settings);
    await tasks.forEach(this.routes, (route) => made.add(route), caller);
    const text = Buffer.from(JSON.stringify(made.document));
    this.texts.set(api.text, text);
    return text;
  }
}
