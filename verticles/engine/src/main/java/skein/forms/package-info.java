/**
 * The forms of user tasks: JSON Schema (drafts 4, 6, 7, 2019-09 and 2020-12), checked within
 * bounds. Both the form and the data may be malicious, so no check is more than linear in what is
 * charged for it as steps, patterns run in linear time (RE2/J), nothing is fetched, and depth is
 * counted instead of left to the stack.
 *
 * <p>Imports JSON texts and RE2/J alone. Start reading at {@link skein.forms.Form}.
 */
@NullMarked
package skein.forms;

import org.jspecify.annotations.NullMarked;
