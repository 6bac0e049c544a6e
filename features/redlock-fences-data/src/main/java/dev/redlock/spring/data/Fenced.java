package dev.redlock.spring.data;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The property of an aggregate root that keeps the fence of the last lease that claimed
 * its row, for Spring Data JDBC and R2DBC. With this property, the database refuses a
 * late write of a former holder. <pre class="code">
 * class Order {
 *
 *     &#64;Id Long id;
 *
 *     &#64;Version Long version;
 *
 *     &#64;Fenced(resource = "order:#{id}") Long fence;
 *
 * }</pre>
 * <p>
 * <b>Save.</b> An update needs a lease on the resource and a transaction. The update
 * first claims the row: one statement checks that the version has not changed since the
 * row was read, raises the fence, and locks the row in the database until the transaction
 * ends. If a later holder has claimed the row, the save fails. An insert needs no lease,
 * because the database generates the id.
 * <p>
 * <b>Load.</b> With Spring Data JDBC, a read-write transaction under a lease on the
 * resource claims the row when it loads the aggregate. With R2DBC a load claims nothing.
 * Claim the row first by {@link dev.redlock.spring.fencing.R2dbcFenceGuard} if the method
 * writes other rows that depend on what it reads.
 * <p>
 * <b>Delete.</b> Spring Data JDBC needs the lease, the transaction and the aggregate, so
 * {@code deleteById} is refused. R2DBC has no callback for a delete.
 * <p>
 * A refusal is an {@link org.springframework.dao.OptimisticLockingFailureException}. The
 * cause of this exception is a {@link dev.redlock.spring.fencing.StaleFenceException} if
 * a later holder has claimed the row.
 * <p>
 * The property is a {@code Long}, and the aggregate needs a {@code @Version} too: the
 * fence distinguishes leases, and the version distinguishes the writes of one lease.
 * {@code upsert} of Spring Data JDBC is checked like a save, but does not raise the
 * version. The fence does not guard your own statements, such as those of
 * {@code @Modifying}, {@code deleteAll()}, and delete methods that Spring Data derives
 * from their names.
 */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Fenced {

	/**
	 * The name of the lock that guards the row, with the id as {@code #{id}}, where
	 * {@code id} is the name of the property with {@code @Id}.
	 * @return the name of the lock
	 */
	String resource();

	/**
	 * Whether the application assigns the id, instead of the database. The application
	 * could reuse the id of a deleted row, whose fence is lost, so a delete is refused,
	 * and an insert needs a lease on the resource.
	 * @return false if the database generates the id
	 */
	boolean assignedId() default false;

}
