package dev.redlock.spring.leader;

/**
 * The application event that this process leads a role now. Published on a thread of the
 * role, after calls of the leader are admitted.
 *
 * @param role the name of the role
 * @param term the number of the term, higher than that of each earlier term of any
 * process
 */
public record LeaderGrantedEvent(String role, long term) {

}
