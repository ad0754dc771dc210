import { FLAG, INTEGER, oneOf, orNull, TEXT } from '../../../platform/http/answer-schemas';
import { closed, named } from '../../../platform/microversion/versioned-schema';

const KEY = { name: TEXT, public_key: TEXT, fingerprint: TEXT, type: oneOf('ssh') };

export const LISTED_KEYPAIR = named('ComputeListedKeypair', closed({ keypair: closed(KEY, ['type']) }));

export const CREATED_KEYPAIR = named(
  'ComputeCreatedKeypair',
  closed({ ...KEY, user_id: TEXT, private_key: TEXT }, ['type', 'private_key']),
);

export const KEYPAIR = named(
  'ComputeKeypair',
  closed(
    {
      ...KEY,
      id: INTEGER,
      user_id: TEXT,
      created_at: TEXT,
      updated_at: orNull(TEXT),
      deleted: FLAG,
      deleted_at: orNull(TEXT),
    },
    ['type'],
  ),
);
