// The pause before a dead worker is replaced: none after a long life, longer after each short one.
import { PROCESS_LIMITS } from '../config/limits/processes';

export class RestartPause {
  private pauseMs = 0;

  /** The pause after a life of `lifeMs`. */
  after(lifeMs: number): number {
    const { restartPauseMs: first, restartPauseMsMax: most, steadyLifeMs: steady } = PROCESS_LIMITS;
    this.pauseMs = lifeMs >= steady ? 0 : Math.min(Math.max(2 * this.pauseMs, first), most);
    return this.pauseMs;
  }
}
