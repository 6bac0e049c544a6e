package dev.redlock.test.lateholder;

import java.util.List;

import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Makes each request of a {@code WebClient} a step at which {@link LateHolder} may freeze
 * the call.
 */
final class WebClientSteps implements ExchangeFilterFunction {

	private final Steps steps;

	WebClientSteps(Steps steps) {
		this.steps = steps;
	}

	Object watch(Object bean) {
		if (bean instanceof WebClient.Builder builder) {
			builder.filters(this::addLast);
		}
		return (bean instanceof WebClient client) ? client.mutate().filters(this::addLast).build() : bean;
	}

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		return this.steps.beginInFlow(HttpSteps.name(request.method(), request.url().getPath()))
			.flatMap((touch) -> next.exchange(request)
				.doOnNext((response) -> HttpSteps.answered(touch, request.method(), response.statusCode())));
	}

	private void addLast(List<ExchangeFilterFunction> filters) {
		if (filters.stream().noneMatch(WebClientSteps.class::isInstance)) {
			filters.add(this);
		}
	}

}
