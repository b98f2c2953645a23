package skein.spi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a component of the inputs whose value is never shown: the journal and the records of
 * activities have {@code ***} in its place, and designers hide the input. The value itself is
 * stored while {@link CustomActivity#work} is under way.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Sensitive {}
