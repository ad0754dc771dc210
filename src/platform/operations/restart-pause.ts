// How long a worker that died is not replaced: at once after a long life, ever longer when lives are short.
import { PROCESS_LIMITS } from '../config/limits';

export class RestartPause {
  private pauseMs = 0;

  /** The pause after a life that lasted so long. */
  after(lifeMs: number): number {
    const { restartPauseMs: first, restartPauseMsMax: most, steadyLifeMs: steady } = PROCESS_LIMITS;
    this.pauseMs = lifeMs >= steady ? 0 : Math.min(Math.max(2 * this.pauseMs, first), most);
    return this.pauseMs;
  }
}
