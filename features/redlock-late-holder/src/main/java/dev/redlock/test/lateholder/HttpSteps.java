package dev.redlock.test.lateholder;

import java.io.IOException;
import java.util.List;

import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpRequest;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.util.ClassUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

/**
 * Makes each request of a blocking HTTP client a step at which {@link LateHolder} may
 * freeze the call.
 */
final class HttpSteps implements ClientHttpRequestInterceptor {

	private static final List<HttpMethod> READS = List.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);

	private final Steps steps;

	HttpSteps(Steps steps) {
		this.steps = steps;
	}

	Object watch(Object bean) {
		if (bean instanceof RestTemplate template) {
			addLast(template.getInterceptors());
		}
		else if (bean instanceof RestClient.Builder builder) {
			builder.requestInterceptors(this::addLast);
		}
		else if (bean instanceof RestClient client) {
			return client.mutate().requestInterceptors(this::addLast).build();
		}
		return Builders.PRESENT ? Builders.watch(bean, this) : bean;
	}

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		Touch touch = this.steps.begin(name(request.getMethod(), request.getURI().getPath()));
		ClientHttpResponse response = execution.execute(request, body);
		answered(touch, request.getMethod(), response.getStatusCode());
		return response;
	}

	static String name(HttpMethod method, String path) {
		return method + " " + path;
	}

	static void answered(Touch touch, HttpMethod method, HttpStatusCode status) {
		if (READS.contains(method)) {
			return;
		}
		if (status.is4xxClientError()) {
			touch.refused(method + " got " + status.value());
		}
		else {
			// An error counts as a write, because the server may have changed data before
			// the error.
			touch.wrote();
		}
	}

	/**
	 * Adds this interceptor as the last one, so that the test freezes a request after the
	 * application's interceptors have run.
	 */
	private void addLast(List<ClientHttpRequestInterceptor> interceptors) {
		if (interceptors.stream().noneMatch(HttpSteps.class::isInstance)) {
			interceptors.add(this);
		}
	}

	/**
	 * Spring Boot's module for HTTP clients is optional, so its types are used only in
	 * this nested class.
	 */
	private static final class Builders {

		private static final boolean PRESENT = ClassUtils
			.isPresent("org.springframework.boot.restclient.RestTemplateBuilder", HttpSteps.class.getClassLoader());

		private static Object watch(Object bean, HttpSteps steps) {
			return (bean instanceof RestTemplateBuilder builder) ? builder.additionalInterceptors(steps) : bean;
		}

	}

}
