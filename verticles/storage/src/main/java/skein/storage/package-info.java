/**
 * The SQL of the engine, each statement as a text block beside its only method. Statements that
 * definitions contain are executed by {@code skein.work}, on other databases.
 *
 * <p>May import the model, its codecs, the metrics, {@code skein.loop} and {@code skein.postgres}.
 * The commit of a burst is {@link skein.storage.CommitStatement}; together with {@link
 * skein.storage.Committer} it is the whole of cluster safety. Start reading there.
 */
@NullMarked
package skein.storage;

import org.jspecify.annotations.NullMarked;
