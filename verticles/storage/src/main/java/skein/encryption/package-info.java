/**
 * Encryption of stored data: values by data keys, data keys by master keys. The algorithms are
 * those of the JDK. Knows neither rows nor SQL. Start reading at {@link skein.encryption.KeyRing}.
 */
@NullMarked
package skein.encryption;

import org.jspecify.annotations.NullMarked;
