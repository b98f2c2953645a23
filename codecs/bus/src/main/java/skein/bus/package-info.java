/**
 * Messages on the Vert.x event bus: the codecs that let records travel, what a consumer answers,
 * and failures as the refusals that travel.
 *
 * <p>Imports the model, the messages, their bytes and the Vert.x event bus; nothing else. Start
 * reading at {@link skein.bus.MessageCodecs}, then {@link skein.bus.Answers}.
 */
@NullMarked
package skein.bus;

import org.jspecify.annotations.NullMarked;
