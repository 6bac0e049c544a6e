package dev.redlock.spring.jpa;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.hibernate.annotations.ValueGenerationType;

/**
 * The attribute of an entity that keeps the fence of the last lease that claimed the row.
 * With this attribute, the database refuses a late write of a former holder.
 * <pre class="code">
 * &#64;Entity
 * class Order {
 *
 *     &#64;Id &#64;GeneratedValue Long id;
 *
 *     &#64;Version long version;
 *
 *     &#64;FencedVersion(resource = "order:#{id}") Long fence;
 *
 * }</pre>
 * <p>
 * <b>Load.</b> A read-write transaction claims the row when it loads the entity under a
 * lease on the resource. The claim checks that the version has not changed since the row
 * was read, raises the fence, and locks the row in the database until the transaction
 * ends. If a later holder has claimed the row, the load fails. Read-only transactions,
 * and loads without a lease on the resource, claim nothing.
 * <p>
 * <b>Write.</b> Updates, deletes and changes of collections need a claim of the same
 * transaction. If the entity was loaded without a claim, the flush claims the row, or is
 * refused if neither the current thread nor its transaction holds a lease on the
 * resource. A row may be inserted without a lease if the name of the lock has the id, and
 * the id is generated.
 * <p>
 * A refusal is an {@link jakarta.persistence.OptimisticLockException}. Spring translates
 * this exception to an {@code ObjectOptimisticLockingFailureException} in repositories
 * and at the commit. The cause of the exception is a
 * {@link dev.redlock.spring.fencing.StaleFenceException} if a later holder has claimed
 * the row. A refused row leaves the second-level cache, so that a repeated transaction
 * reads it from the database.
 * <p>
 * The attribute is a {@code Long}, and the entity needs a {@code @Version} too: the fence
 * distinguishes leases, and the version distinguishes the writes of one lease. Bulk
 * updates, bulk inserts and SQL bypass entities, and therefore the fence.
 */
@Target({ ElementType.FIELD, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@ValueGenerationType(generatedBy = FenceGenerator.class)
public @interface FencedVersion {

	/**
	 * The name of the lock that guards the row, with attributes of the entity as
	 * {@code #{name}}. The attributes must not be updatable: the id, a column with
	 * {@code updatable = false}, or the id of such an association, as in
	 * {@code "order:#{order.id}"} for a row that belongs to an order.
	 * @return the name of the lock
	 */
	String resource();

}
