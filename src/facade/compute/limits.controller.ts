// Limits: there are none, and what is used is counted by Placement.
import { Get } from '@nestjs/common';
import { Operation } from '../../http/operation.decorator';
import { holding } from '../facade.responses';
import { Policy } from '../../http/route.decorators';
import { FacadeController } from '../facade.decorators';

/** What this API writes where there is no limit. */
const UNLIMITED = -1;

const UNLIMITED_NAMES = [
  'maxTotalInstances',
  'maxTotalCores',
  'maxTotalRAMSize',
  'maxTotalKeypairs',
  'maxServerGroups',
  'maxServerGroupMembers',
  'maxServerMeta',
] as const;

@FacadeController('compute/v2.1/limits')
export class ComputeLimitsController {
  @Get()
  @Operation('showComputeLimits', 'Shows the limits of a project, of which there are none.', {
    answers: { 200: holding('limits') },
  })
  @Policy('berth:facade:compute:limits')
  show(): object {
    return { limits: { rate: [], absolute: Object.fromEntries(UNLIMITED_NAMES.map((name) => [name, UNLIMITED])) } };
  }
}
