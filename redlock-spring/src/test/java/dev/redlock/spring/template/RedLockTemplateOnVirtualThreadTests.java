package dev.redlock.spring.template;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Re-entry and all the rest, on virtual threads.
 */
@ExtendWith(OnVirtualThread.class)
class RedLockTemplateOnVirtualThreadTests extends RedLockTemplateTests {

}
