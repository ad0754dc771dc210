// The streams of requests by name, in the order in which they run.
import { candidateQueries } from './candidates.mjs';
import { oddQueries } from './queries.mjs';
import { tourOfEdges } from './tour-of-edges.mjs';
import { tourOfVersions } from './tour.mjs';
import { randomWrites } from './writes.mjs';

export const STREAMS = {
  edges: (pair) => tourOfEdges(pair),
  tour: (pair, { minors }) => tourOfVersions(pair, range(minors)),
  writes: (pair, values) => randomWrites(pair, values),
  candidates: (pair, values) => candidateQueries(pair, values),
  queries: (pair, values) => oddQueries(pair, values),
};

/** Numbers and ranges: `0-5,28,39`. */
function range(text) {
  return text.split(',').flatMap((part) => {
    const [low, high = low] = part.split('-').map(Number);
    return Array.from({ length: high - low + 1 }, (_, at) => low + at);
  });
}
