// Response schema for traits.presenter.ts.
import { TEXT, listOf } from '../http/answer-schemas';
import { closed, named } from '../microversion/versioned-schema';

export const TRAITS = named('Traits', closed({ traits: listOf(TEXT) }));
