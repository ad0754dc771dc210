// Response schemas for resource-classes.presenter.ts.
import { LINK, listOf, TEXT } from '../../platform/http/answer-schemas';
import { closed, named } from '../../platform/microversion/versioned-schema';

export const RESOURCE_CLASS_SHOWN = named('ResourceClass', closed({ name: TEXT, links: listOf(LINK) }));

export const RESOURCE_CLASSES = named('ResourceClasses', closed({ resource_classes: listOf(RESOURCE_CLASS_SHOWN) }));
