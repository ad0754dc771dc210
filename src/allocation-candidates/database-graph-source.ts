// Loads the whole graph for every search, in one consistent view: always right, and the oracle of anything faster.
import { Injectable } from '@nestjs/common';
import { buildGraph } from '../candidate-search';
import type { ProviderGraph } from '../candidate-search';
import { Database } from '../database/database';
import { GraphSource } from './graph-source';
import { loadGraphRows } from './graph.loader';

@Injectable()
export class DatabaseGraphSource extends GraphSource {
  constructor(private readonly db: Database) {
    super();
  }

  async current(): Promise<ProviderGraph> {
    return buildGraph(await this.db.readSnapshot(loadGraphRows));
  }
}
