import 'reflect-metadata';
import { IsIn, IsNumber, Max, Min } from 'class-validator';
import {
  IsCount,
  IsDocument,
  IsFilledText,
  IsFilledTexts,
  IsNames,
  IsText,
  IsUuids,
  MAX_TEXT,
  MayBeAbsent,
  MayBeNull,
  NullIsAbsent,
} from '../../compute/registry-schema';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { AlsoAllows, MatchesSchema } from '../../platform/http/dto-rules';
import { SEED_LIMIT } from '../../platform/values/random';
import { FlavorDto } from '../request/request.schema';

export const GOALS = ['drain', 'waves', 'room', 'balance', 'pack'] as const;
const MOVE_WAYS = ['live', 'cold'] as const;
/** A move without an outcome waits. */
export const OUTCOME_STATES = ['running', 'done', 'failed', 'skipped'] as const;
export type OutcomeState = (typeof OUTCOME_STATES)[number];
const MESSAGE_MAX = 4_000;
const TIME_LIMIT_MAX_S = 60;
const { hostsNamed, instancesPerRequest, planMoves } = SCHEDULER_LIMITS;

/** What must not change. */
class StayDto {
  @MayBeAbsent() @IsUuids(instancesPerRequest) readonly instances?: readonly string[];
  @MayBeAbsent() @IsNames(hostsNamed) readonly hosts?: readonly string[];
  @MayBeAbsent() @IsFilledTexts(hostsNamed) readonly projects?: readonly string[];
}

/** The body of POST /scheduler/plans. */
export class PlanDto {
  @IsIn(GOALS) readonly goal!: (typeof GOALS)[number];
  @MayBeAbsent() @IsNames(hostsNamed) readonly hosts?: readonly string[];
  /** Names or uuids. */
  @MayBeAbsent() @IsNames(hostsNamed) readonly host_aggregates?: readonly string[];
  @MayBeAbsent() @IsNames(hostsNamed) readonly availability_zones?: readonly string[];

  /** Hosts of one round. */
  @MayBeAbsent() @IsCount(1, hostsNamed) readonly at_a_time?: number;

  /** The name or id of a registered flavor, or an inline flavor. */
  @AlsoAllows({ absent: true, null: true, name: true })
  @IsDocument(() => FlavorDto, `must be an object, or a name of 1 to ${MAX_TEXT} characters`)
  readonly flavor?: FlavorDto | string | null;

  @NullIsAbsent() @IsCount(1, instancesPerRequest) readonly count?: number;
  @MayBeAbsent() @IsFilledTexts(hostsNamed) readonly resource_classes?: readonly string[];
  @MayBeAbsent() @IsIn(['hosts', 'zones']) readonly over?: 'hosts' | 'zones';
  @MayBeAbsent() @IsDocument(() => StayDto) readonly stay?: StayDto;
  @NullIsAbsent() @IsCount(1, planMoves) readonly max_moves?: number;
  @MayBeAbsent() @IsCount(1, planMoves) readonly max_moves_per_host?: number;

  @MayBeAbsent()
  @MatchesSchema({ type: 'array', items: { enum: MOVE_WAYS }, minItems: 1, maxItems: MOVE_WAYS.length })
  readonly move_types?: readonly (typeof MOVE_WAYS)[number][];

  /** Percentage points for balance, hosts or places for pack and room. */
  @MayBeAbsent() @IsNumber() @Min(0) @Max(Number.MAX_SAFE_INTEGER) readonly min_gain?: number;
  /** In seconds. */
  @MayBeAbsent() @IsCount(1, TIME_LIMIT_MAX_S) readonly time_limit?: number;
  @MayBeAbsent() @IsCount(0, SEED_LIMIT - 1) readonly seed?: number;
}

/** The body of POST /scheduler/plans/{id}/moves/{number}. */
export class MoveOutcomeDto {
  @IsIn(OUTCOME_STATES) readonly state!: OutcomeState;
  /** What the compute service said. */
  @MayBeNull() @IsText(MESSAGE_MAX) readonly message?: string | null;
  /** Why an operator left it out. */
  @MayBeNull() @IsFilledText(MESSAGE_MAX) readonly reason?: string | null;
}
