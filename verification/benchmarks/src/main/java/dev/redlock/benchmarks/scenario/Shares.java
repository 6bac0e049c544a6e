package dev.redlock.benchmarks.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.redlock.benchmarks.contender.Library;
import dev.redlock.benchmarks.measure.Load;
import dev.redlock.benchmarks.measure.SharedCounter;
import dev.redlock.benchmarks.measure.Tally;
import dev.redlock.benchmarks.report.Format;
import dev.redlock.benchmarks.report.Table;
import org.jspecify.annotations.Nullable;

/**
 * How processes share one lock that each of them wants again as soon as it has released
 * it: the locks of each, and how many there would be if two processes took turns.
 */
public final class Shares {

	private static final List<String> HEADER = List.of("hold", "locks of each", "smallest share", "total",
			"alternating", "ratio", "longest wait", "allowed", "failed");

	private static final long START_DELAY_MILLIS = 50;

	/** Node has to start, and to connect. */
	private static final long START_DELAY_WITH_NODE_MILLIS = 1_500;

	private static final int HOLDS_OF_LONGEST_WAIT = 10;

	private static final int SLACK_OF_LONGEST_WAIT_MILLIS = 100;

	private static final long WARM_UP_MILLIS = 3_000;

	private static final String NAME = "shares";

	private final SharesOptions options;

	private final Sites sites;

	private final @Nullable NodeRedlock node;

	private final List<ChildJvm> processes;

	private final List<ChildJvm> alternating;

	private Shares(SharesOptions options, Sites sites, @Nullable NodeRedlock node, List<ChildJvm> processes,
			List<ChildJvm> alternating) {
		this.options = options;
		this.sites = sites;
		this.node = node;
		this.processes = processes;
		this.alternating = alternating;
	}

	/**
	 * Measures what is asked for, and prints a table.
	 * @param options what is asked for
	 */
	public static void run(SharesOptions options) {
		try (Sites sites = Sites.start(Set.of(options.site()), options.terms());
				NodeRedlock node = options.nodeRedlock() ? NodeRedlock.install() : null) {
			System.out.printf("The restart guard lets new servers wait for max-ttl, %s s%n",
					options.maxTtl().toMillis() / 1e3);
			sites.introduce();
			List<ChildJvm> processes = start(options.jvms());
			List<ChildJvm> alternating = start(2);
			try {
				System.out.print(new Shares(options, sites, node, processes, alternating).measure().text());
			}
			finally {
				processes.forEach(ChildJvm::close);
				alternating.forEach(ChildJvm::close);
			}
		}
	}

	private static List<ChildJvm> start(int count) {
		SharedCounter counter = SharedCounter.create();
		return Stream.generate(() -> ChildJvm.start(ClassPath.ofThisProcess().entries(), List.of("-Xmx256m"),
				LoadChild.class, List.of(counter.file().toString())))
			.limit(count)
			.toList();
	}

	private Table measure() {
		open(this.processes, Library.REDLOCK);
		open(this.alternating, Library.ALTERNATING);
		together(this.processes, Library.REDLOCK, this.options.threads(), 1, WARM_UP_MILLIS, START_DELAY_MILLIS);
		together(this.alternating, Library.ALTERNATING, 1, 1, WARM_UP_MILLIS, START_DELAY_MILLIS);
		List<List<String>> rows = new ArrayList<>();
		for (int holdMillis : this.options.holdsMillis()) {
			for (int i = 0; i < this.options.runs(); i++) {
				rows.add(measure(holdMillis));
			}
		}
		return new Table(HEADER, rows);
	}

	private List<String> measure(int holdMillis) {
		long millis = this.options.seconds() * 1_000L;
		List<Share> shares = shares(holdMillis, millis);
		long reference = together(this.alternating, Library.ALTERNATING, 1, holdMillis, millis, START_DELAY_MILLIS)
			.stream()
			.mapToLong(Tally::total)
			.sum();
		long total = shares.stream().mapToLong(Share::locks).sum();
		long least = shares.stream().mapToLong(Share::locks).min().orElse(0);
		long longest = shares.stream().mapToLong(Share::longestWaitMillis).max().orElse(0);
		long failures = shares.stream().mapToLong(Share::failures).sum();
		return List.of(holdMillis + " ms",
				shares.stream().map((share) -> Long.toString(share.locks())).collect(Collectors.joining(" : ")),
				Format.ratio((double) least / total), Long.toString(total), Long.toString(reference),
				Format.ratio((double) total / reference), longest + " ms",
				HOLDS_OF_LONGEST_WAIT * holdMillis + SLACK_OF_LONGEST_WAIT_MILLIS + " ms", Long.toString(failures));
	}

	/**
	 * The processes of this library in their order, and the other client last.
	 */
	private List<Share> shares(int holdMillis, long millis) {
		NodeRedlock client = this.node;
		long delay = (client != null) ? START_DELAY_WITH_NODE_MILLIS : START_DELAY_MILLIS;
		CompletableFuture<Share> other = (client != null) ? client.start(this.sites.ports(this.options.site()),
				"redlock:" + NAME, holdMillis, System.currentTimeMillis() + delay, millis) : null;
		List<Share> shares = new ArrayList<>(
				together(this.processes, Library.REDLOCK, this.options.threads(), holdMillis, millis, delay).stream()
					.map(Share::of)
					.toList());
		if (other != null) {
			shares.add(other.join());
		}
		return shares;
	}

	private void open(List<ChildJvm> children, Library library) {
		String open = LoadChild.open(library, this.options.maxTtl(), this.sites.ports(this.options.site()));
		children.forEach((child) -> child.say(open));
		children.forEach(ChildJvm::hear);
	}

	private static List<Tally> together(List<ChildJvm> children, Library library, int threads, int holdMillis,
			long millis, long delayMillis) {
		String run = LoadChild.run(library, new Load(NAME, true, threads, millis),
				System.currentTimeMillis() + delayMillis, holdMillis);
		children.forEach((child) -> child.say(run));
		return children.stream().map(ChildJvm::hear).map(Tally::decode).toList();
	}

}
