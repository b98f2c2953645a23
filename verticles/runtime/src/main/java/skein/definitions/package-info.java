/**
 * Saving, publishing and caching of definitions: {@link skein.definitions.Definitions} saves,
 * publishes and retracts; {@link skein.definitions.DefinitionCache} holds the compiled ones on each
 * node; {@link skein.definitions.Invalidation} makes every node drop what changed before a publish
 * answers.
 *
 * <p>A definition is compiled by {@link skein.definitions.Compiler} with all that it uses as
 * activities, and dropped when one of those changes. {@code Consumers} knows the definitions that
 * use a published one, and {@code ReferenceUpdate} updates them.
 *
 * <p>A cache that missed an invalidation costs a retry, not correctness: the commit of a start
 * checks that its version is still the published one. What it uses without naming a version may, on
 * a node that did not acknowledge, be the version before until that node hears of the change.
 *
 * <p>May import the model, the messages, their codecs, the interpreter, the storage and the
 * cluster. Start reading at {@link skein.definitions.Definitions}.
 */
@NullMarked
package skein.definitions;

import org.jspecify.annotations.NullMarked;
