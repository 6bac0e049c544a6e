/**
 * The properties of locks and servers, the check of all names below {@code redlock}, and
 * the settings and servers that the properties describe. What connections need is checked
 * where they are created, in {@code autoconfigure}; observations, web answers and
 * features have properties of their own. Knows Spring Boot and the settings of the lock,
 * and no bean.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.internal.settings;

import org.jspecify.annotations.NullMarked;
