package dev.redlock.sample.page;

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
 * Lets nobody press the buttons but this application's own page in a browser on this
 * machine, or a program on it. A page of somebody else in the same browser could
 * otherwise do so too.
 */
final class LocalOnly implements HandlerInterceptor {

	private static final Set<String> NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");

	private static final Set<String> OWN_PAGE = Set.of("same-origin", "none");

	@Override
	public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
		insist(isLoopback(request.getRemoteAddr()), "The demo can be run from its own machine only.");
		// A foreign name that leads to this machine makes a foreign page the same origin.
		insist(NAMES.contains(request.getServerName()), "Call the demo by the name localhost or 127.0.0.1.");
		insist(isFromHere(request.getHeader("Sec-Fetch-Site")), "Another page cannot run the demo.");
		return true;
	}

	/**
	 * What is not a browser does not send the header.
	 */
	private static boolean isFromHere(@Nullable String fetchSite) {
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

	private static void insist(boolean allowed, String otherwise) {
		if (!allowed) {
			throw new ResponseStatusException(HttpStatus.FORBIDDEN, otherwise);
		}
	}

}
