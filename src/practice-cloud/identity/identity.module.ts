import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { Authenticator } from '../../platform/auth/principal';
import { Catalog } from './catalog';
import { EmptyIdentityLists } from './empty-identity-lists';
import { IdentityController } from './identity.controller';
import { NamesController } from './names.controller';
import { TokenIssuer } from './token-issuer';

@Module({})
export class IdentityModule {
  static forRoot(authenticator: Authenticator): DynamicModule {
    return {
      module: IdentityModule,
      controllers: [IdentityController, NamesController, EmptyIdentityLists],
      providers: [TokenIssuer, Catalog, { provide: Authenticator, useValue: authenticator }],
    };
  }
}
