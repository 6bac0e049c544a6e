package dev.redlock.spring.leader;

/**
 * The application event that this process leads a role now. Published on a thread of the
 * role, after calls of the leader are admitted. A listener names no role, so it does not
 * make the process stand for election: use {@link LeaderOnly} or
 * {@link LeaderTemplate#join(String)}.
 *
 * @param role the name of the role
 * @param term the number of the term, higher than that of each earlier term of any
 * process
 */
public record LeaderGrantedEvent(String role, long term) {

}
