// Decides a request on a described cloud: the product's scheduler behind ports made from a document. No database, no
// clock, no randomness of its own.
import { registriesConfigOf } from '../../compute/registries.config';
import type { SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import { DescribedSchedulers } from '../assemble/described-schedulers';
import { explainsAt } from '../decide/placement-search';
import { levelOf } from '../request/request.schema';
import { SchedulerService } from '../scheduler.service';
import { refuseUnknownTraits } from './described-cloud';
import { simulatedPorts } from './simulated-cloud';
import { presentSimulation } from './simulation.presenter';
import type { SimulationDto } from './simulation.schema';

export class SimulationService {
  private readonly schedulers: DescribedSchedulers;

  constructor(plugins: readonly SchedulerExtension[], version: string) {
    this.schedulers = new DescribedSchedulers(plugins, version);
  }

  /** The same document gives the same answer. Throws InvalidInput for an invalid cloud or configuration. */
  async simulate(document: SimulationDto, requestId: string): Promise<object> {
    const { pipeline, config } = this.schedulers.of(document.config ?? {});
    refuseUnknownTraits(document);
    const { candidates, hosts, references, claims, env, warnings } = simulatedPorts(document, {
      defaultAvailabilityZone: config.DEFAULT.default_availability_zone,
      hostsFromInventory: config.berth.hosts_from_inventory,
      ratios: registriesConfigOf(config).ratios,
    });
    const { request } = document;
    const level = levelOf(request, 'first');
    const decided = await new SchedulerService(pipeline, candidates, hosts, references, claims, env).decide({
      body: request,
      requestId,
      // Nothing is written in any case, and scripted failures need real claims.
      dryRun: false,
      mode: level === 'all' ? 'all' : 'first',
      explains: explainsAt(level),
      returnAlternates: request.return_alternates ?? true,
      seed: request.seed,
    });
    return presentSimulation(decided, { level, options: pipeline.options, warnings: warnings() });
  }
}
