import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { DocumentSettings } from './document';
import { ApiDocuments } from './documents';
import { OpenApiController } from './openapi.controller';

interface OpenApiModuleInput extends DocumentSettings {
  /** The module whose routes are documented, including those of this module. */
  readonly root: () => DynamicModule;
}

@Module({})
export class OpenApiModule {
  static forRoot({ root, ...settings }: OpenApiModuleInput): DynamicModule {
    return {
      module: OpenApiModule,
      controllers: [OpenApiController],
      providers: [{ provide: ApiDocuments, useFactory: () => new ApiDocuments(root, settings) }],
    };
  }
}
