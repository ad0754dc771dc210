import 'reflect-metadata';
import { IsIn, Matches } from 'class-validator';
import {
  IsAnyText,
  IsDocument,
  IsFilledText,
  IsName,
  MayBeAbsent,
  NullIsAbsent,
} from '../../../compute/registry-schema';

/** One public key. The longest keys in use have about 3 000. */
const PUBLIC_KEY_CHARACTERS = 8_192;

/** The name is a path segment, so `.` and `..` are excluded. */
const KEY_NAME = /^(?!\.{1,2}$)[a-zA-Z0-9@. _-]*$/;

class ComputeNewKeypairDto {
  @IsName()
  @Matches(KEY_NAME, { message: '$property must be of letters, digits, @, periods, dashes, underscores, blanks' })
  readonly name!: string;

  @MayBeAbsent() @IsIn(['ssh']) readonly type?: 'ssh';
  /** Can be absent before microversion 2.92: the service then generates a key pair. */
  @NullIsAbsent() @IsAnyText(PUBLIC_KEY_CHARACTERS) readonly public_key?: string;
  /** For administrators. */
  @MayBeAbsent() @IsFilledText() readonly user_id?: string;
}

/** The body of POST /os-keypairs. */
export class NewKeypairBody {
  @IsDocument(() => ComputeNewKeypairDto) readonly keypair!: ComputeNewKeypairDto;
}
