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
 * <b>Load.</b> If the caller holds the lock on {@link #resource()}, a load in a
 * read-write transaction raises the fence of the row. One SQL statement checks the
 * version, raises the fence and locks the row until the transaction ends. The load fails
 * if the version has changed, or if a later lock holder has raised the fence. Read-only
 * transactions, and loads without the lock, do not change the fence.
 * <p>
 * <b>Write.</b> Before an update, a delete or a change of a collection, the flush raises
 * the fence if the load has not raised the fence. The flush is refused if neither the
 * current thread nor its transaction holds the lock. A lock mode that raises the version,
 * such as {@code PESSIMISTIC_FORCE_INCREMENT}, is a write too. An insert needs no lock if
 * the name of the lock contains the generated id of the row, or the generated id of a
 * fenced parent that the same transaction has inserted.
 * <p>
 * If another transaction has changed the row, the caller gets an
 * {@link jakarta.persistence.OptimisticLockException}. Spring translates
 * {@code OptimisticLockException} to {@code ObjectOptimisticLockingFailureException} in
 * repositories and at the commit. The {@code OptimisticLockException} has a
 * {@link dev.redlock.spring.fencing.StaleFenceException} as its cause if a later lock
 * holder has raised the fence of the row.
 * <p>
 * The attribute must be a {@code Long}. The entity also needs a {@code @Version}, because
 * all writes under one lock have the same fence. Bulk updates, bulk inserts and SQL are
 * not checked by the fence, because they bypass entities.
 */
@Target({ ElementType.FIELD, ElementType.METHOD })
@Retention(RetentionPolicy.RUNTIME)
@Documented
@ValueGenerationType(generatedBy = FenceGenerator.class)
public @interface FencedVersion {

	/**
	 * The name of the lock that guards the row, which may contain attributes of the
	 * entity as {@code #{name}}. Only attributes that never change are allowed: the id,
	 * and columns with {@code updatable = false}. For a row with a non-updatable
	 * association {@code order}, {@code "order:#{order.id}"} contains the id of the
	 * associated order.
	 */
	String resource();

}
