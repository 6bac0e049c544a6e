/**
 * Fences for aggregates of Spring Data JDBC and R2DBC: a save claims the row in the
 * transaction that writes it. Read {@link Fenced} first, then {@code FencedAggregate}.
 */
@NullMarked
package dev.redlock.spring.data;

import org.jspecify.annotations.NullMarked;
