import { Module } from '@nestjs/common';
import { ResourceClassesModule } from '../placement/resource-classes/resource-classes.module';
import { TraitsModule } from '../placement/traits/traits.module';
import { DefinitionRules } from './definition-rules';
import { RegistriesConfigModule } from './registries-config.module';

@Module({
  imports: [ResourceClassesModule, TraitsModule, RegistriesConfigModule],
  providers: [DefinitionRules],
  exports: [DefinitionRules],
})
export class DefinitionRulesModule {}
