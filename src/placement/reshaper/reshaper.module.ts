import { Module } from '@nestjs/common';
import { AllocationsModule } from '../allocations/allocations.module';
import { InventoriesModule } from '../inventories/inventories.module';
import { ReshaperController } from './reshaper.controller';
import { ReshaperService } from './reshaper.service';

@Module({
  imports: [AllocationsModule, InventoriesModule],
  controllers: [ReshaperController],
  providers: [ReshaperService],
})
export class ReshaperModule {}
