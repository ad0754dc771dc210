import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { ApiDocuments } from './documents';
import { OpenApiController } from './openapi.controller';

interface OpenApiModuleInput {
  /** The module whose routes are documented, this one's among them. */
  readonly root: () => DynamicModule;
  readonly urlPrefix: string;
}

@Module({})
export class OpenApiModule {
  static forRoot({ root, urlPrefix }: OpenApiModuleInput): DynamicModule {
    return {
      module: OpenApiModule,
      controllers: [OpenApiController],
      providers: [{ provide: ApiDocuments, useFactory: () => new ApiDocuments(root, { urlPrefix }) }],
    };
  }
}
