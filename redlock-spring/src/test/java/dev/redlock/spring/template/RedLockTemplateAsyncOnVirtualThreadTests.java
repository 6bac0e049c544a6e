package dev.redlock.spring.template;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Asynchronous work that re-enters, started on virtual threads.
 */
@ExtendWith(OnVirtualThread.class)
class RedLockTemplateAsyncOnVirtualThreadTests extends RedLockTemplateAsyncTests {

}
