package dev.redlock.test.lateholder;

import reactor.util.context.ContextView;

import org.springframework.util.ClassUtils;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.filter.reactive.ServerWebExchangeContextFilter;

/**
 * Recognizes work for an HTTP request that the application answers. Without a lock, this
 * work is no step of the call: if the call has sent the request, the request is a step.
 */
final class Requests {

	private static final boolean SERVLETS = isPresent("org.springframework.web.context.request.RequestContextHolder")
			&& isPresent("jakarta.servlet.Servlet");

	private static final boolean REACTIVE = isPresent(
			"org.springframework.web.filter.reactive.ServerWebExchangeContextFilter");

	private Requests() {
	}

	static boolean onThread() {
		return SERVLETS && RequestContextHolder.getRequestAttributes() != null;
	}

	static boolean inFlow(ContextView context) {
		return REACTIVE && context.hasKey(ServerWebExchangeContextFilter.EXCHANGE_CONTEXT_ATTRIBUTE);
	}

	private static boolean isPresent(String type) {
		return ClassUtils.isPresent(type, Requests.class.getClassLoader());
	}

}
