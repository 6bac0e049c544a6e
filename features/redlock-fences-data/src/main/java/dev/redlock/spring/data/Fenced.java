package dev.redlock.spring.data;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks the property of an aggregate root that stores a lock's fence, for Spring Data
 * JDBC and R2DBC. With this property, a process that has lost its lock can no longer
 * overwrite the row. <pre class="code">
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
 * <b>Save.</b> To update a row, the caller must hold the lock on {@link #resource()} and
 * be in a transaction. Before an update, one SQL statement checks the version, raises the
 * fence and locks the row until the transaction ends. The save fails if the version has
 * changed, or if a later lock holder has raised the fence. An insert needs no lock if the
 * database generates the id.
 * <p>
 * <b>Load.</b> With Spring Data JDBC, a load in a read-write transaction raises the fence
 * if the caller holds the lock. Spring Data R2DBC does not change the fence at a load.
 * With R2DBC, if a method writes other rows that depend on the loaded row, call
 * {@link dev.redlock.spring.fencing.R2dbcFenceGuard} before the load.
 * <p>
 * <b>Delete.</b> With Spring Data JDBC, a delete needs the lock, a transaction and the
 * loaded aggregate, so {@code deleteById} is refused. With R2DBC, a delete is not
 * checked, because Spring Data R2DBC has no callback for deletes.
 * <p>
 * A refused save or delete throws an
 * {@link org.springframework.dao.OptimisticLockingFailureException} if another
 * transaction has changed the row. The {@code OptimisticLockingFailureException} has a
 * {@link dev.redlock.spring.fencing.StaleFenceException} as its cause if a later lock
 * holder has raised the fence of the row.
 * <p>
 * The property must be a {@code Long}. The aggregate also needs a {@code @Version},
 * because all writes under one lock have the same fence. {@code upsert} of Spring Data
 * JDBC is checked like a save, but does not raise the version. The fence does not guard
 * statements that bypass aggregates: {@code @Modifying} queries, {@code deleteAll()}, and
 * derived delete methods.
 */
@Target(ElementType.FIELD)
@Retention(RetentionPolicy.RUNTIME)
@Documented
public @interface Fenced {

	/**
	 * The name of the lock that guards the row. The name contains the id as
	 * {@code #{id}}, where {@code id} is the property with {@code @Id}.
	 */
	String resource();

	/**
	 * Whether the application, and not the database, assigns the id. If the application
	 * assigns the id, an insert needs the lock, and a delete is refused. The application
	 * could give the id of a deleted row to a new row, which would begin without a fence.
	 */
	boolean assignedId() default false;

}
