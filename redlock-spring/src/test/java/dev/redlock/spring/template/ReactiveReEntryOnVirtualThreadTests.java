package dev.redlock.spring.template;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Flows that re-enter, started on virtual threads.
 */
@ExtendWith(OnVirtualThread.class)
class ReactiveReEntryOnVirtualThreadTests extends ReactiveReEntryTests {

}
