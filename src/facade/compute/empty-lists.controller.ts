// What clients list and there is nothing of: limits; key pairs, for nobody comes into a guest; usage over time, for nothing
// is billed; migrations, for a move is over with its answer. Parameters would narrow nothing.
import { Get, Param } from '@nestjs/common';
import { Operation } from '../../http/operation.decorator';
import { Policy } from '../../http/route.decorators';
import { FacadeController } from '../facade.decorators';
import { holding, listing } from '../facade.responses';

const NO_USAGE = {
  total_hours: 0,
  total_vcpus_usage: 0,
  total_memory_mb_usage: 0,
  total_local_gb_usage: 0,
  server_usages: [],
};

/** What this API writes where there is no limit. */
const UNLIMITED = -1;

const LIMITS = {
  maxTotalInstances: UNLIMITED,
  maxTotalCores: UNLIMITED,
  maxTotalRAMSize: UNLIMITED,
  maxTotalKeypairs: UNLIMITED,
  maxServerGroups: UNLIMITED,
  maxServerGroupMembers: UNLIMITED,
  maxServerMeta: UNLIMITED,
};

@FacadeController('compute/v2.1')
export class ComputeEmptyListsController {
  @Get('limits')
  @Operation('showComputeLimits', 'Shows the limits of a project, of which there are none.', holding('limits'))
  @Policy('berth:facade:compute:limits')
  limits(): object {
    return { limits: { rate: [], absolute: LIMITS } };
  }

  @Get('os-keypairs')
  @Operation('listComputeKeypairs', 'Lists key pairs, of which there are none.', listing('keypairs'))
  @Policy('berth:facade:compute:keypairs')
  keypairs(): object {
    return { keypairs: [] };
  }

  @Get('os-simple-tenant-usage')
  @Operation('listComputeUsages', 'Lists usage over time, which nobody counts.', listing('tenant_usages'))
  @Policy('berth:facade:compute:usages')
  usages(): object {
    return { tenant_usages: [] };
  }

  @Get('os-simple-tenant-usage/:project_id')
  @Operation(
    'showComputeUsage',
    'Shows the usage of a project over time, which nobody counts.',
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
