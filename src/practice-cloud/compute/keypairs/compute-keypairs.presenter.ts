import { hashedUuid } from '../../../scheduler/simulate/derived-uuid';
import type { ComputeVersion } from '../../compute-version';
import { toTheMicrosecond } from '../../times';
import { idOf } from '../compute-ids';
import type { Keypair } from './keypair.entity';
import { fingerprintOf } from './public-key';

export const presentKeypair = ({ name, publicKey }: Keypair, api: ComputeVersion): object => ({
  name,
  public_key: publicKey,
  fingerprint: fingerprintOf(publicKey),
  ...(api.has('keypairType') && { type: 'ssh' }),
});

/** Shows the private key if the service generated it. No later response contains it. */
export const presentCreatedKeypair = (
  keypair: Keypair,
  privateKey: string | undefined,
  api: ComputeVersion,
): object => ({
  ...presentKeypair(keypair, api),
  user_id: keypair.userId,
  ...(privateKey !== undefined && { private_key: privateKey }),
});

export const presentWholeKeypair = (keypair: Keypair, api: ComputeVersion): object => ({
  ...presentKeypair(keypair, api),
  id: idOf(hashedUuid(`keypair\0${keypair.userId}\0${keypair.name}`), false),
  user_id: keypair.userId,
  created_at: toTheMicrosecond(keypair.createdAtMs),
  updated_at: null,
  deleted: false,
  deleted_at: null,
});
