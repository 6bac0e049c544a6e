package dev.redlock.sample.demo;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Set;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Allows requests only from the application's own page in a browser on this machine, or
 * from a program on it. Otherwise any other page in the same browser could send them.
 */
final class LocalOnly implements HandlerInterceptor {

	private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

	private static final Set<String> OWN_PAGE = Set.of("same-origin", "none");

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
		require(isLoopback(request.getRemoteAddr()), "The demo can be run from its own machine only.");
		// A foreign host name that resolves to this machine makes a foreign page
		// same-origin.
		require(NAMES.contains(request.getServerName()), "Call the demo by the name localhost or 127.0.0.1.");
		require(isOwnPage(request.getHeader("Sec-Fetch-Site")), "Another page cannot run the demo.");
		return true;
	}

	/**
	 * Only browsers send the header.
	 */
	private static boolean isOwnPage(@Nullable String fetchSite) {
		return fetchSite == null || OWN_PAGE.contains(fetchSite);
	}

	private static boolean isLoopback(String address) {
		try {
			return InetAddress.getByName(address).isLoopbackAddress();
		}
		catch (UnknownHostException ex) {
			return false;
		}
	}

	private static void require(boolean allowed, String message) {
		if (!allowed) {
			throw new ResponseStatusException(HttpStatus.FORBIDDEN, message);
		}
	}

}
