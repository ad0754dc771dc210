// Lists that are always empty: Berth records no usage over time, and no migration outlasts its response.
import { Get, Param } from '@nestjs/common';
import { Operation } from '../../platform/http/operation.decorator';
import { Policy } from '../../platform/http/route.decorators';
import { FacadeController } from '../facade.decorators';
import { holding, listing } from '../facade.responses';

const NO_USAGE = {
  total_hours: 0,
  total_vcpus_usage: 0,
  total_memory_mb_usage: 0,
  total_local_gb_usage: 0,
  server_usages: [],
};

@FacadeController('compute/v2.1')
export class ComputeEmptyListsController {
  @Get('os-simple-tenant-usage')
  @Operation('listComputeUsages', 'Lists usage over time, which is always empty.', listing('tenant_usages'))
  @Policy('berth:facade:compute:usages')
  usages(): object {
    return { tenant_usages: [] };
  }

  @Get('os-simple-tenant-usage/:project_id')
  @Operation(
    'showComputeUsage',
    'Shows the usage of a project over time, which is always empty.',
    holding('tenant_usage'),
  )
  @Policy('berth:facade:compute:usages')
  usage(@Param('project_id') projectId: string): object {
    return { tenant_usage: { tenant_id: projectId, ...NO_USAGE } };
  }

  @Get('os-migrations')
  @Operation('listComputeMigrations', 'Lists migrations under way, of which there are none.', listing('migrations'))
  @Policy('berth:facade:compute:migrations')
  migrations(): object {
    return { migrations: [] };
  }
}
