package dev.redlock.docs.snippets;

import dev.redlock.spring.annotation.RedLock;
import dev.redlock.spring.fencing.FenceHeaderInterceptor;

import org.springframework.web.client.RestClient;

class DeviceClient {

	private final RestClient devices;

	DeviceClient(RestClient.Builder builder) {
		this.devices = builder.requestInterceptor(new FenceHeaderInterceptor()).build();
	}

	@RedLock("device:#{#id}")
	public void write(long id, String state) {
		this.devices.put().uri("/devices/{id}", id).body(state).retrieve().toBodilessEntity();
	}

}
