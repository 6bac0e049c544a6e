/**
 * Fences for JPA entities: a process that has lost its lock can no longer overwrite a
 * row. Read {@link FencedVersion} first, then {@code FencedEntity}, which checks and
 * raises the fences.
 */
@NullMarked
package dev.redlock.spring.jpa;

import org.jspecify.annotations.NullMarked;
