/**
 * One leader among many processes: {@link dev.redlock.spring.leader.LeaderOnly} for
 * methods, {@link dev.redlock.spring.leader.LeaderTemplate} for code.
 * <p>
 * A leader holds the lock on the name of its role and renews the lock until it gives up
 * the role. The lease of the leader is its <em>term</em>, and the fence of the lease is
 * the number of the term.
 */
@NullMarked
package dev.redlock.spring.leader;

import org.jspecify.annotations.NullMarked;
