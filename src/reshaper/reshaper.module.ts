import { Module } from '@nestjs/common';
import { ResourceClassesModule } from '../resource-classes/resource-classes.module';
import { ReshaperController } from './reshaper.controller';
import { ReshaperService } from './reshaper.service';

@Module({ imports: [ResourceClassesModule], controllers: [ReshaperController], providers: [ReshaperService] })
export class ReshaperModule {}
