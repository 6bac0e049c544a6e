package dev.redlock.spring.fencing;

import java.io.IOException;

import dev.redlock.CurrentLease;

import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Sends the fences of the current thread's leases with each request of a
 * {@code RestClient} or {@code RestTemplate}. Outside of a lock the interceptor adds
 * nothing.
 * <p>
 * Use the interceptor only for clients of services that check fences, because the header
 * contains the names of the locked resources.
 */
public final class FenceHeaderInterceptor implements ClientHttpRequestInterceptor {

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		FenceHeader.of(CurrentLease.all())
			.ifPresent((header) -> request.getHeaders().set(FenceHeader.NAME, header.toString()));
		return execution.execute(request, body);
	}

}
