package dev.redlock.internal.vote;

import java.util.List;

import dev.redlock.internal.plan.LockPlan;
import dev.redlock.internal.plan.Moment;
import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;

/**
 * The keys of a lock that a majority of the nodes has granted to one try.
 *
 * @param plan what was claimed: the request, or one of its permits
 * @param start the time just before the nodes were asked, at which the ttl begins
 * @param mayHold the nodes that granted the keys or whose answer is unknown
 */
public record Grant(LockPlan plan, Claim claim, long fence, Moment start, List<LockNode> mayHold) {

}
