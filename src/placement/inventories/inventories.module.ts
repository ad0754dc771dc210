import { Module } from '@nestjs/common';
import { ResourceClassesModule } from '../resource-classes/resource-classes.module';
import { InventoriesController } from './inventories.controller';
import { InventoriesService } from './inventories.service';

@Module({
  imports: [ResourceClassesModule],
  controllers: [InventoriesController],
  providers: [InventoriesService],
  exports: [InventoriesService],
})
export class InventoriesModule {}
