package skein.expressions;

import org.jspecify.annotations.Nullable;

/**
 * An expression as a definition carries it.
 *
 * @param type the language as written: {@code Literal}, {@code Object} (or its old name {@code
 *     Json}), {@code Variable}, {@code Input}, {@code JavaScript}, {@code Liquid}; others are
 *     reported, not run
 * @param value a JSON value; source text for script languages
 */
public record Expression(String type, @Nullable Object value) {}
