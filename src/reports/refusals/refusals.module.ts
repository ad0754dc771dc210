import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { RefusalsController } from './refusals.controller';
import { RefusalsService } from './refusals.service';

@Module({})
export class RefusalsModule {
  static forRoot(scheduler: DynamicModule): DynamicModule {
    return {
      module: RefusalsModule,
      imports: [scheduler],
      controllers: [RefusalsController],
      providers: [RefusalsService],
    };
  }
}
