package dev.redlock.benchmarks.scenario;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.redlock.benchmarks.contender.Contender;
import dev.redlock.benchmarks.contender.Contexts;
import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.contender.Terms;
import dev.redlock.test.RedisNode;
import dev.redlock.test.RedisNodes;

import org.springframework.context.ConfigurableApplicationContext;

/**
 * The servers of a run, and the contenders that are connected to them. Everything that is
 * opened stays open until the end of the run.
 */
final class Sites implements AutoCloseable {

	private final Map<Site, RedisNodes> nodes = new EnumMap<>(Site.class);

	private final Map<Site, Map<Library, Contender>> contenders = new EnumMap<>(Site.class);

	private final Deque<AutoCloseable> opened = new ArrayDeque<>();

	private final Terms terms;

	private Sites(Terms terms) {
		this.terms = terms;
	}

	static Sites start(Set<Site> sites, Terms terms) {
		Sites started = new Sites(terms);
		try {
			for (Site site : sites) {
				started.nodes.put(site, started.keep(RedisNodes.start(site.servers())));
			}
			return started;
		}
		catch (RuntimeException ex) {
			started.close();
			throw ex;
		}
	}

	/**
	 * Lets the servers be known to a client for as long as a lock may live, after which
	 * the restart guard lets them vote for all other clients at once.
	 */
	void introduce() {
		List<ConfigurableApplicationContext> clients = this.nodes.keySet()
			.stream()
			.map((site) -> Contexts.start(ports(site), this.terms))
			.toList();
		clients.forEach((client) -> Contexts.awaitReady(client, this.terms.longestQuarantine()));
		clients.forEach(ConfigurableApplicationContext::close);
	}

	List<RedisNode> servers(Site site) {
		RedisNodes started = this.nodes.get(site);
		if (started == null) {
			throw new IllegalStateException("The scenario has not asked for " + site);
		}
		return started.asList();
	}

	List<Integer> ports(Site site) {
		return servers(site).stream().map(RedisNode::port).toList();
	}

	Contender contender(Site site, Library library) {
		return this.contenders.computeIfAbsent(site, (key) -> new EnumMap<>(Library.class))
			.computeIfAbsent(library, (key) -> keep(library.open(ports(site), this.terms)));
	}

	/**
	 * Closes what is connected to a site.
	 */
	void leave(Site site) {
		Map<Library, Contender> connected = this.contenders.remove(site);
		if (connected != null) {
			this.opened.removeAll(connected.values());
			connected.values().forEach(Contender::close);
		}
	}

	private <T extends AutoCloseable> T keep(T closeable) {
		this.opened.push(closeable);
		return closeable;
	}

	@Override
	public void close() {
		while (!this.opened.isEmpty()) {
			try {
				this.opened.pop().close();
			}
			catch (Exception ex) {
				System.err.println("Could not be closed: " + ex);
			}
		}
	}

}
