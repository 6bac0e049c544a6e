package dev.redlock.spring.jpa;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import org.hibernate.annotations.ValueGenerationType;

/**
 * Marks the attribute of a JPA entity that stores a lock's fence. With this attribute, a
 * process that has lost its lock can no longer overwrite the row. <pre class="code">
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
 * <b>Load.</b> If the caller holds the lock on {@link #resource()}, a read-write
 * transaction <em>claims</em> the row when it loads the entity. To claim a row means: one
 * SQL update checks the version and raises the fence of the row. After the SQL update,
 * the database locks the row until the transaction ends. The load fails if the version
 * has changed, or if a later lock holder has raised the fence. Read-only transactions,
 * and loads without the lock, do not change the fence.
 * <p>
 * <b>Write.</b> Updates, deletes and changes of collections need a row whose fence this
 * transaction has raised. If the load has not raised the fence of a row, the flush raises
 * the fence. The flush is refused if neither the current thread nor its transaction holds
 * the lock. An insert needs no lock if the name of the lock contains the id, and the id
 * is generated.
 * <p>
 * If another transaction has changed the row, the caller gets an
 * {@link jakarta.persistence.OptimisticLockException}. Spring translates
 * {@code OptimisticLockException} to {@code ObjectOptimisticLockingFailureException} in
 * repositories and at the commit. The {@code OptimisticLockException} has a
 * {@link dev.redlock.spring.fencing.StaleFenceException} as its cause if a later lock
 * holder has raised the fence of the row. A refused row is evicted from the second-level
 * cache, so that a repeated transaction reads the row from the database.
 * <p>
 * The attribute must be a {@code Long}. The entity also needs a {@code @Version}, because
 * all writes under one lock have one fence, and only the version tells them apart. Bulk
 * updates, bulk inserts and SQL are not checked by the fence, because they bypass
 * entities.
 */
@Target({ ElementType.FIELD, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@ValueGenerationType(generatedBy = FenceGenerator.class)
public @interface FencedVersion {

	/**
	 * The name of the lock that guards the row, which may contain attributes of the
	 * entity as {@code #{name}}. Only attributes that never change are allowed: the id,
	 * and columns with {@code updatable = false}. For a row that belongs to an order,
	 * {@code "order:#{order.id}"} takes the id of an association that is not updatable.
	 */
	String resource();

}
