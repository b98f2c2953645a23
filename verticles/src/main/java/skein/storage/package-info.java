/**
 * Every SQL statement of Skein, each as a text block beside its only method.
 *
 * <p>Sees the model and its codecs, and alone sees the SQL client. The commit of a burst is {@link
 * skein.storage.CommitStatement}; together with {@link skein.storage.Committer} it is the whole of
 * cluster safety. Start reading there.
 */
@NullMarked
package skein.storage;

import org.jspecify.annotations.NullMarked;
