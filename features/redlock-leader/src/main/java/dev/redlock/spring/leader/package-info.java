/**
 * One leader among many processes: {@link dev.redlock.spring.leader.LeaderOnly} for
 * methods, {@link dev.redlock.spring.leader.LeaderTemplate} for code.
 * <p>
 * A leader holds the lock on the name of its role and renews the lock until it gives up
 * the role. Each period as leader is a <em>term</em>, whose number is the fence of the
 * leader's lease.
 */
@NullMarked
package dev.redlock.spring.leader;

import org.jspecify.annotations.NullMarked;
