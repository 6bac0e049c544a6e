package dev.redlock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Starts real Redis servers for a JUnit Jupiter test class. The constructor and the
 * methods of the class may have a parameter of type {@link RedisNodes}.
 * <p>
 * In a Spring test, the servers belong to the application context and replace
 * {@code redlock.instances}. In a test without Spring, the servers start before the test
 * class and end after the test class. Before each test, frozen servers are thawed, and
 * killed servers are restarted empty.
 *
 * <pre class="code">
 * &#064;SpringBootTest
 * &#064;EmbeddedRedlock
 * class OrderTests {
 *
 *     &#064;Test
 *     void ordersGoOnWithTwoNodesDown(&#064;Autowired Orders orders, RedisNodes nodes) {
 *         nodes.get("a").kill();
 *         nodes.get("b").freeze();
 *         orders.place("book");
 *     }
 *
 * }
 * </pre>
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@ExtendWith(EmbeddedRedlockExtension.class)
public @interface EmbeddedRedlock {

	/**
	 * The number of Redis servers to start, from 1 to 26.
	 * @return the number
	 */
	int nodes() default 5;

}
