// CrossCellWeigher: moves stay in the wanted cell where they may leave it.

import { defineWeigher } from '../pipeline/define-weigher';
import { option } from '../pipeline/options';

export const crossCellWeigher = defineWeigher({
  name: 'CrossCellWeigher',
  summary: 'Prefers hosts of the wanted cell when the instance may cross cells.',
  options: {
    cross_cell_move_weight_multiplier: option.number({
      default: 1_000_000,
      aggregateKey: 'cross_cell_move_weight_multiplier',
      help: 'Multiplier of CrossCellWeigher.',
    }),
  },
  reads: ['requested_destination.cell', 'requested_destination.allow_cross_cell_move'],
  applies: ({ requestedDestination: wanted }) => wanted?.allowCrossCellMove === true && wanted.cell !== null,
  multiplier: (options) => options.cross_cell_move_weight_multiplier,
  weigh: ({ cell }, { requestedDestination: wanted }) => {
    if (wanted?.allowCrossCellMove !== true || wanted.cell === null) return 0;
    return cell === wanted.cell ? 1 : -1;
  },
});
