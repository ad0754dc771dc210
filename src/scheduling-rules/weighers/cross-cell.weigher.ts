// CrossCellWeigher: a move that can cross cells prefers the requested cell.

import { number } from '../../platform/values/options';
import { defineWeigher } from '../pipeline/define-weigher';

export const crossCellWeigher = defineWeigher({
  name: 'CrossCellWeigher',
  summary: 'Prefers hosts of the wanted cell when the instance may cross cells.',
  options: {
    cross_cell_move_weight_multiplier: number(1_000_000, 'Multiplier of CrossCellWeigher.', {
      aggregateKey: 'cross_cell_move_weight_multiplier',
    }),
  },
  reads: ['requested_destination.cell', 'requested_destination.allow_cross_cell_move'],
  applies: ({ requestedDestination: destination }) =>
    destination?.allowCrossCellMove === true && destination.cell !== null,
  multiplier: (options) => options.cross_cell_move_weight_multiplier,
  weigh: ({ cell }, { requestedDestination: destination }) => {
    if (destination?.allowCrossCellMove !== true || destination.cell === null) return 0;
    return cell === destination.cell ? 1 : -1;
  },
});
