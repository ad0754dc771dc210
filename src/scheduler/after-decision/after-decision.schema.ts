import 'reflect-metadata';
import { IsIn } from 'class-validator';
import { IsDocument, IsFilledText, IsText, IsTexts, MAX_TEXT, MayBeNull } from '../../compute/registry-schema';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { AlsoAllows } from '../../platform/http/dto-rules';
import { FlavorDto } from '../request/request.schema';
import type { MoveType } from './request-again';
import { MOVE_TYPES } from './request-again';

const REASON_MAX = 4_000;
const OBJECT_OR_NAME = `must be an object, or a name of 1 to ${MAX_TEXT} characters`;

/** The body of POST …/build_failed. */
export class BuildFailedDto {
  @IsFilledText() readonly host!: string;
  @MayBeNull() @IsFilledText() readonly node?: string | null;
  @MayBeNull() @IsText(REASON_MAX) readonly reason?: string | null;
}

class MoveTargetDto {
  @IsFilledText() readonly host!: string;
  @MayBeNull() @IsFilledText() readonly node?: string | null;
}

/** The body of POST …/move. */
export class MoveDto {
  @IsIn(MOVE_TYPES) readonly type!: MoveType;

  /** For a resize: the name of a registered flavor, or an inline flavor. */
  @AlsoAllows({ absent: true, null: true, name: true })
  @IsDocument(() => FlavorDto, OBJECT_OR_NAME)
  readonly flavor?: FlavorDto | string | null;

  /** The host name, or the names of the host and its node. */
  @AlsoAllows({ absent: true, null: true, name: true })
  @IsDocument(() => MoveTargetDto, OBJECT_OR_NAME)
  readonly target?: MoveTargetDto | string | null;

  /** Hosts that were found unsuitable earlier. */
  @MayBeNull() @IsTexts(SCHEDULER_LIMITS.hostsNamed) readonly ignore_hosts?: readonly string[] | null;
}
