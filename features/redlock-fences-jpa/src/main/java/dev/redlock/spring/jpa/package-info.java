/**
 * Fences for JPA entities: Hibernate refuses a late write of a holder whose lock has
 * ended. Read {@link FencedVersion} first, then {@code FencedEntity}, which claims rows.
 */
@NullMarked
package dev.redlock.spring.jpa;

import org.jspecify.annotations.NullMarked;
