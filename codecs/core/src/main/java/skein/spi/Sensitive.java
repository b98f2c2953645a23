package skein.spi;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says of a component of the inputs that its value is shown nowhere: the journal and the records of
 * activities have {@code ***} in its place, and designers hide what is typed. The value itself is
 * stored while {@link CustomActivity#work} is under way.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Sensitive {}
