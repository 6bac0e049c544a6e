package dev.redlock.internal;

import java.util.List;

import dev.redlock.spi.Claim;
import dev.redlock.spi.LockNode;

/**
 * A claim that a majority has granted to one try.
 *
 * @param fence the fence, {@link Claim#UNFENCED} if the claim has none
 * @param start the moment before the nodes were asked
 * @param mayHold the nodes that may hold the claim
 */
record Grant(Claim claim, long fence, Moment start, List<LockNode> mayHold) {

}
