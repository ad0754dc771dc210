import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DefinitionRulesModule } from '../definition-rules.module';
import { RegisteredFlavor } from './flavor.entity';
import { FlavorsController } from './flavors.controller';
import { FlavorsService } from './flavors.service';

@Module({
  imports: [TypeOrmModule.forFeature([RegisteredFlavor]), DefinitionRulesModule],
  controllers: [FlavorsController],
  providers: [FlavorsService],
  exports: [FlavorsService],
})
export class FlavorsModule {}
