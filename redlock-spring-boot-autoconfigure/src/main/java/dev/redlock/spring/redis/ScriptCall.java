package dev.redlock.spring.redis;

import java.util.List;

/**
 * One call of a script, the same for all nodes that are asked.
 *
 * @param script the script
 * @param keys the lock keys, at least one
 * @param token the token, empty if the script needs none
 * @param millis the ttl, or how long to keep what is released
 * @param fence the fence, or a number that only this script understands
 */
record ScriptCall(LockScript script, List<String> keys, String token, long millis, long fence) {

}
