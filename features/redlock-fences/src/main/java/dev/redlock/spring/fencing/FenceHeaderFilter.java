package dev.redlock.spring.fencing;

import java.util.List;

import dev.redlock.Lease;
import dev.redlock.spring.template.ReactiveCurrentLease;
import dev.redlock.spring.template.TransactionLeases;
import reactor.core.publisher.Mono;

import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ExchangeFunction;

/**
 * Sends the fences of the caller's locks with each request of a {@code WebClient}. The
 * filter takes the locks from the Reactor context and the transaction of its flow, or
 * from the subscribing thread and its transaction if the flow has no locks. If the caller
 * holds no lock, the request gets no header.
 * <p>
 * Use this filter only for services that check fences, because the header discloses the
 * names of the locked resources.
 */
public final class FenceHeaderFilter implements ExchangeFilterFunction {

	@Override
	public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
		return ReactiveCurrentLease.allOfTransaction().flatMap((flow) -> {
			List<Lease> leases = flow.isEmpty() ? TransactionLeases.all() : flow;
			return next.exchange(FenceHeader.of(leases)
				.map((header) -> ClientRequest.from(request)
					.headers((headers) -> headers.set(FenceHeader.NAME, header.toString()))
					.build())
				.orElse(request));
		});
	}

}
