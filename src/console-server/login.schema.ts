import 'reflect-metadata';
import { IsNotEmpty } from 'class-validator';
import { IsAnyText, IsFilledText, MAX_TEXT, NullIsAbsent } from '../compute/registry-schema';
import { LOGIN_LIMITS } from '../platform/config/limits/auth';

/** The body of POST /console/login, as a person types it. A missing domain means the default domain. */
export class LoginDto {
  @IsFilledText(MAX_TEXT) declare readonly username: string;
  @IsAnyText(LOGIN_LIMITS.passwordCharacters) @IsNotEmpty() declare readonly password: string;
  @NullIsAbsent() @IsFilledText(MAX_TEXT) readonly user_domain?: string;
  @IsFilledText(MAX_TEXT) declare readonly project: string;
  @NullIsAbsent() @IsFilledText(MAX_TEXT) readonly project_domain?: string;
}
