/**
 * The properties below {@code redlock}, their checks, and the settings and servers that
 * they describe. Knows Spring Boot and the settings of the lock, and no bean.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.internal.settings;

import org.jspecify.annotations.NullMarked;
