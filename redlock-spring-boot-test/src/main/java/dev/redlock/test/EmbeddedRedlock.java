package dev.redlock.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a JUnit Jupiter test class real Redis nodes, as a parameter of type
 * {@link RedisNodes} of its constructor or methods.
 * <p>
 * In a Spring test the nodes belong to the application context. The nodes replace
 * {@code redlock.instances}, can also be autowired, and are shared by all test classes
 * that share the context. In other tests the nodes start before the class and end after
 * it. All nodes are up when a test begins: frozen nodes are thawed, and killed nodes are
 * restarted empty.
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
	 * The number of nodes to start.
	 * @return the number, from 1 to 26
	 */
	int nodes() default 5;

}
