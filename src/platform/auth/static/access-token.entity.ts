import { Entity } from 'typeorm';
import { JsonColumn, RowId, TextColumn, TimeColumn } from '../../database/columns';
import type { StoredToken } from './access-token';

/** A named token; only its SHA-256 is stored. */
@Entity('access_tokens')
export class AccessToken implements StoredToken {
  @RowId() readonly id!: number;
  @TextColumn() readonly name!: string;
  @TextColumn({ name: 'sha256' }) readonly digest!: string;
  @TextColumn() readonly userId!: string;
  @TextColumn({ nullable: true }) readonly projectId!: string | null;
  @TextColumn({ nullable: true }) readonly systemScope!: string | null;
  @JsonColumn() readonly roles!: readonly string[];
  @TimeColumn() readonly createdAtMs!: number;
  @TimeColumn({ nullable: true }) readonly expiresAtMs!: number | null;
  @TimeColumn({ nullable: true }) readonly revokedAtMs!: number | null;
  @TimeColumn({ nullable: true }) readonly lastUsedAtMs!: number | null;
}
