package dev.redlock.spring.fencing;

import java.io.IOException;

import dev.redlock.spring.template.TransactionLeases;

import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpRequestExecution;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Sends the fences of the locks of the current thread and its transaction with each
 * request of a {@code RestClient} or {@code RestTemplate}. Without a lock, the request
 * gets no header.
 * <p>
 * Use this interceptor only for services that check fences, because the header discloses
 * the names of the locked resources.
 */
public final class FenceHeaderInterceptor implements ClientHttpRequestInterceptor {

	@Override
	public ClientHttpResponse intercept(HttpRequest request, byte[] body, ClientHttpRequestExecution execution)
			throws IOException {
		FenceHeader.of(TransactionLeases.all())
			.ifPresent((header) -> request.getHeaders().set(FenceHeader.NAME, header.toString()));
		return execution.execute(request, body);
	}

}
