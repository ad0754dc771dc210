// Response schema for traits.presenter.ts.
import { listOf, TEXT } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';

export const TRAITS = named('Traits', closed({ traits: listOf(TEXT) }));
