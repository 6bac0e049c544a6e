package dev.redlock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Has the last word on what a call of a method with {@code @RedLock} locks. Declare one
 * as a bean to put a tenant in front of all names, for instance: <pre class="code">
 * &#64;Bean
 * ResourceNameResolver resourceNames(Tenants tenants) {
 *     return (call) -&gt; call.names().stream().map((name) -&gt; tenants.current() + ":" + name).toList();
 * }</pre>
 * <p>
 * It is asked once per call, after the expressions of the annotation were evaluated and
 * on the thread of the caller; it must be thread-safe. Names that people do not choose
 * should be text: control characters are refused, and of a name over 1,024 bytes the part
 * after the first 512 is replaced by its SHA-256. What it throws is thrown to the caller,
 * and the method does not run. It does not see what is locked by
 * {@link dev.redlock.spring.template.RedLockTemplate} directly.
 */
@FunctionalInterface
public interface ResourceNameResolver {

	/**
	 * Names what the call locks.
	 * @param call the call
	 * @return one name or more, none of them blank; several are locked all or nothing
	 */
	Collection<String> resolve(Call call);

	/**
	 * A call of a method with {@code @RedLock}.
	 *
	 * @param method the method
	 * @param target the bean, null for a static method that is woven
	 * @param args the arguments, some of which may be null
	 * @param names the names as the annotation has them, in its order
	 */
	record Call(Method method, @Nullable Object target, List<@Nullable Object> args, List<String> names) {

	}

}
