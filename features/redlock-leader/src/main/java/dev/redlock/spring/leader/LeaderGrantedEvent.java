package dev.redlock.spring.leader;

/**
 * The application event that this process leads a role now. The event is published on a
 * thread of the role, when calls of the leader are already allowed. A listener of this
 * event names no role, so it does not make the process stand for election: use
 * {@link LeaderOnly} or {@link LeaderTemplate#join(String)}.
 *
 * @param role the name of the role
 * @param term the number of the term, higher than that of each earlier term of any
 * process
 */
public record LeaderGrantedEvent(String role, long term) {

}
