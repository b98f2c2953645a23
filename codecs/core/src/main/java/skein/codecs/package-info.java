/**
 * Bytes and JSON to records and back: the state of an instance, messages, definitions, and the text
 * that is let in.
 *
 * <p>Everything here is a function that knows nothing of who calls. Reading is total: what is not
 * well-formed ends in one named exception with the place, never in a half-built value, and no
 * length is trusted before it is compared with the available bytes. Imports the model, the messages
 * and Jackson's streaming parser; nothing else.
 *
 * <p>Start reading at {@link skein.codecs.InstanceCodec}, then {@link skein.codecs.MessageBytes};
 * JSON begins at {@link skein.codecs.JsonText}. The formats are described in the README of codecs.
 */
@NullMarked
package skein.codecs;

import org.jspecify.annotations.NullMarked;
