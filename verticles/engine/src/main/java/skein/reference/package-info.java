/**
 * The reference of definitions, made of the declarations of activities: {@link
 * skein.reference.DefinitionSchema} for editors, {@link skein.reference.ActivityPage} for readers.
 */
@NullMarked
package skein.reference;

import org.jspecify.annotations.NullMarked;
