// Wiring of the console. Only the composition root of the service imports it.
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { Authenticator } from '../platform/auth/principal';
import { ConsoleParts } from './console-parts';
import { LoginOriginGuard } from './login-origin.guard';
import { LoginController } from './login.controller';
import { LoginService } from './login.service';
import type { ConsoleConfig } from './options';
import { PagesController } from './pages.controller';
import { SessionController } from './session.controller';

@Module({})
export class ConsoleModule {
  /** Empty if the console is off. */
  static forRoot(
    { console }: ConsoleConfig,
    { authenticator, ...parts }: ConsoleParts & { readonly authenticator: Authenticator },
  ): readonly DynamicModule[] {
    if (!console.enabled) return [];
    return [
      {
        module: ConsoleModule,
        controllers: [SessionController, LoginController, PagesController],
        providers: [
          LoginService,
          LoginOriginGuard,
          { provide: ConsoleParts, useValue: parts },
          { provide: Authenticator, useValue: authenticator },
        ],
      },
    ];
  }
}
