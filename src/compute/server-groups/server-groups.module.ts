import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ServerGroup, ServerGroupMember } from './server-group.entity';
import { ServerGroupsController } from './server-groups.controller';
import { ServerGroupsService } from './server-groups.service';

@Module({
  imports: [TypeOrmModule.forFeature([ServerGroup, ServerGroupMember])],
  controllers: [ServerGroupsController],
  providers: [ServerGroupsService],
  exports: [ServerGroupsService],
})
export class ServerGroupsModule {}
