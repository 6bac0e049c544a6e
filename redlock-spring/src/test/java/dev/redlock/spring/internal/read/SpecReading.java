package dev.redlock.spring.internal.read;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.redlock.LockRequest;
import dev.redlock.spring.interceptor.AnnotatedMethod;
import dev.redlock.spring.internal.call.LockCall;
import dev.redlock.spring.internal.call.RedLockSpec;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySourcesPropertyResolver;

/**
 * Reads annotations as the start does, without a context.
 */
public final class SpecReading {

	final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	public SpecReading(Map<String, Object> properties) {
		MutablePropertySources sources = new MutablePropertySources();
		sources.addLast(new MapPropertySource("test", properties));
		PropertySourcesPropertyResolver resolver = new PropertySourcesPropertyResolver(sources);
		this.beans.addEmbeddedValueResolver(resolver::resolveRequiredPlaceholders);
	}

	public RedLockSpec spec(Class<?> type, String method) {
		return new RedLockSpecReader(this.beans, AnnotatedMethod.find(method(type, method), type).orElseThrow(),
				List.of(), new HashMap<>())
			.read();
	}

	LockRequest request(Object target, String method, Object... args) {
		RedLockSpec spec = spec(target.getClass(), method);
		return call(spec, target, args).request();
	}

	boolean meetsCondition(Object target, String method, Object... args) {
		RedLockSpec spec = spec(target.getClass(), method);
		return call(spec, target, args).meetsCondition();
	}

	private LockCall call(RedLockSpec spec, Object target, Object... args) {
		return new LockCall(spec, new SimpleInvocation(target, spec.method().method(), args),
				new BeanFactoryResolver(this.beans), LockCall.AS_THE_ANNOTATION_SAYS, false);
	}

	private static Method method(Class<?> type, String name) {
		return Arrays.stream(type.getDeclaredMethods())
			.filter((method) -> method.getName().equals(name))
			.findFirst()
			.orElseThrow();
	}

}
