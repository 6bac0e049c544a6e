package dev.redlock.spring.leader;

/**
 * The application event that this process leads a role now. The event is published on a
 * separate thread, after leader-only calls are allowed in this process. A listener alone
 * does not make the process a candidate: use {@link LeaderOnly} or
 * {@link LeaderTemplate#join(String)}.
 *
 * @param role the name of the role
 * @param term the number of the term (the time as leader), which is higher than that of
 * every earlier term of the role
 */
public record LeaderGrantedEvent(String role, long term) {

}
