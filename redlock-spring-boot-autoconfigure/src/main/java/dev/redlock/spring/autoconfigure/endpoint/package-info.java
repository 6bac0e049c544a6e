/**
 * Auto-configuration of the actuator endpoint {@code redlock}.
 */
@NullMarked
package dev.redlock.spring.autoconfigure.endpoint;

import org.jspecify.annotations.NullMarked;
