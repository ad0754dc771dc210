// The port through which a search gets the provider graph. Whoever answers must show every write that was acknowledged
// before it was asked, by any process.
import type { ProviderGraph } from '../candidate-search';

export abstract class GraphSource {
  abstract current(): Promise<ProviderGraph>;
}
