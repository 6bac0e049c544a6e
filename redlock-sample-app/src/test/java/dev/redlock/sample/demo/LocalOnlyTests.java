package dev.redlock.sample.demo;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.server.ResponseStatusException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class LocalOnlyTests {

	private final LocalOnly guard = new LocalOnly();

	private final MockHttpServletRequest request = new MockHttpServletRequest("POST", "/demo/sale/close");

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "127.0.0.1", "[::1]" })
	void thisMachineMay(String name) {
		this.request.setServerName(name);
		assertThat(handle()).isTrue();
	}

	@Test
	void theOwnPageMay() {
		this.request.addHeader("Sec-Fetch-Site", "same-origin");
		assertThat(handle()).isTrue();
	}

	@Test
	void anotherMachineMayNot() {
		this.request.setRemoteAddr("192.168.0.7");
		refused("its own machine");
	}

	@Test
	void anotherNameForThisMachineMayNot() {
		this.request.setServerName("evil.example");
		refused("by the name localhost");
	}

	@ParameterizedTest
	@ValueSource(strings = { "cross-site", "same-site" })
	void anotherPageMayNot(String site) {
		this.request.addHeader("Sec-Fetch-Site", site);
		refused("Another page");
	}

	private boolean handle() {
		return this.guard.preHandle(this.request, new MockHttpServletResponse(), this);
	}

	private void refused(String why) {
		assertThatExceptionOfType(ResponseStatusException.class).isThrownBy(this::handle)
			.withMessageContaining("403")
			.withMessageContaining(why);
	}

}
