/**
 * Fences for aggregates of Spring Data JDBC and R2DBC: a process that has lost its lock
 * can no longer overwrite a row. Read {@link Fenced} first, then {@code FencedAggregate}.
 */
@NullMarked
package dev.redlock.spring.data;

import org.jspecify.annotations.NullMarked;
