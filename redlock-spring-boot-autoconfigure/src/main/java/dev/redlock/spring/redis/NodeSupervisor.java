package dev.redlock.spring.redis;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

import dev.redlock.spi.NodeStatus.State;
import dev.redlock.spi.Scheduler;
import dev.redlock.spi.Ticker;
import dev.redlock.spring.redis.RestartGuard.Verdict;
import dev.redlock.spring.redis.Sighting.KnownLife;
import io.lettuce.core.RedisCommandExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads a node from one state to the next as connections come and go and checks end.
 */
final class NodeSupervisor implements ConnectionKeeper.Listener {

	private static final Logger log = LoggerFactory.getLogger(NodeSupervisor.class);

	private static final Duration PAUSE_WHILE_LOADING = Duration.ofMillis(500);

	static final Duration PAUSE_WHILE_UNFIT = Duration.ofSeconds(5);

	private static final Duration PAUSE_BETWEEN_TRIALS = Duration.ofSeconds(1);

	private final String node;

	private final StandingBoard board;

	private final ServerRegistry registry;

	private final RestartGuard guard;

	private final ServerCheck check;

	private final FailoverWatch failovers;

	private final RightsWatch rights;

	private final Scheduler scheduler;

	private final Ticker ticker;

	private final Consumer<Boolean> reachable;

	/**
	 * What the servers said of themselves when they were checked last.
	 */
	private volatile @Nullable ServerFacts facts;

	private volatile long nextTrialNanos;

	private volatile @Nullable ConnectionKeeper keeper;

	NodeSupervisor(String node, StandingBoard board, ServerRegistry registry, NodeSettings settings,
			Scheduler scheduler, Ticker ticker, Consumer<Boolean> reachable) {
		this.reachable = reachable;
		this.node = node;
		this.board = board;
		this.registry = registry;
		this.guard = new RestartGuard(settings, ticker);
		this.check = new ServerCheck(settings, ticker);
		this.failovers = new FailoverWatch(node, settings);
		this.rights = new RightsWatch(node);
		this.scheduler = scheduler;
		this.ticker = ticker;
		this.nextTrialNanos = ticker.nanoTime();
	}

	void superviseWith(ConnectionKeeper keeper) {
		this.keeper = keeper;
	}

	@Override
	public void opened(Links links) {
		links.servers().forEach((server) -> {
			server.onServerError((error) -> refused(links, error));
			server.onClockStep((micros) -> stepped(links, micros));
		});
		Standing checking = Standing.of(State.CHECKING, "It was just connected", links);
		this.board.set(checking);
		this.reachable.accept(true);
		check(checking, links);
		lookLater(links);
	}

	@Override
	public void lost(String why) {
		this.reachable.accept(false);
		this.board.set(Standing.of(State.UNAVAILABLE, why, null));
	}

	@Override
	public void unreachable(String why) {
		this.board.set(Standing.of(State.UNAVAILABLE, why, null));
	}

	@Override
	public void refusedCredentials(String why, boolean bySentinel) {
		this.board.set(Standing.of(State.UNFIT, why + ". " + remedy(bySentinel ? ".sentinel" : ""), null));
	}

	private void refused(Links links, String error) {
		if (ServerErrors.asksForReconnect(error)) {
			giveUp(links, "The cluster has changed: " + ServerErrors.fault(error).detail());
			return;
		}
		if (ServerErrors.asksForCheck(error)) {
			checkNow(links, ServerErrors.fault(error).detail());
		}
		else if (ServerErrors.isSuspicious(error)) {
			recheckRights(links);
		}
	}

	/**
	 * Looks at what the server says of itself every now and then, as long as these
	 * connections last: its configuration may be changed while it runs.
	 */
	private void lookLater(Links links) {
		this.scheduler.schedule(NodeSettings.LOOK_PERIOD, () -> {
			Standing now = this.board.now();
			if (now.links() == links) {
				lookLater(links);
				if (now.mayVoteSoon()) {
					look(links);
				}
			}
		});
	}

	private void look(Links links) {
		this.check.look(links).whenComplete((seen, failure) -> {
			if (failure != null) {
				checkNow(links, "The server did not answer INFO: " + LinkErrors.describe(failure));
			}
			else if (!seen.equals(this.facts)) {
				checkNow(links, "Its configuration or its role has changed");
			}
		});
	}

	/**
	 * The node votes meanwhile: the error may be about one key alone.
	 */
	private void recheckRights(Links links) {
		Standing now = this.board.now();
		long nanos = this.ticker.nanoTime();
		if (now.links() == links && now.mayVoteSoon() && nanos - this.nextTrialNanos >= 0) {
			this.nextTrialNanos = nanos + PAUSE_BETWEEN_TRIALS.toNanos();
			this.check.rights(links).whenComplete((missing, failure) -> {
				if (failure != null) {
					failed(now, links, failure);
				}
			});
		}
	}

	private boolean stepped(Links links, long stepMicros) {
		String doubt = this.guard.clockStepped(stepMicros);
		if (doubt != null) {
			checkNow(links, doubt);
			return true;
		}
		log.warn("The clock of redlock node '{}' stepped by {} ms against the clock of this client", this.node,
				stepMicros / 1000);
		return false;
	}

	private void checkNow(Links links, String why) {
		Standing checking = Standing.of(State.CHECKING, why, links);
		Standing now = this.board.now();
		// Again where a quarantine ended in between, or the doubt would be forgotten.
		while (now.mayVoteSoon() && now.links() == links) {
			if (this.board.replace(now, checking)) {
				check(checking, links);
				return;
			}
			now = this.board.now();
		}
	}

	private void check(Standing during, Links links) {
		KnownLife known = this.guard.knownLife();
		this.check.check(links, known).whenComplete((examination, failure) -> {
			if (examination != null && !known.equals(this.guard.knownLife())) {
				// Its clock stepped meanwhile, and it was not yet told that it is
				// doubted.
				check(during, links);
			}
			else if (examination != null) {
				settle(during, links, examination);
			}
			else if (failure != null) {
				failed(during, links, failure);
			}
		});
	}

	private void settle(Standing during, Links links, Examination examination) {
		if (this.board.now() != during) {
			return;
		}
		this.facts = examination.facts();
		this.failovers.look(examination.facts());
		this.rights.look(examination.missing());
		String other = this.registry.claim(this.node, ServerRegistry.runIds(examination.facts()));
		Verdict verdict = (other != null) ? Verdict.unfit(ServerRegistry.message(this.node, other))
				: this.guard.judge(examination.facts(), examination.sighting());
		switch (verdict.state()) {
			case READY -> this.board.replace(during, Standing.ready(links));
			case QUARANTINED -> quarantine(during, links, verdict);
			default -> checkAgain(during, Standing.of(verdict.state(), verdict.reason(), links), PAUSE_WHILE_UNFIT);
		}
	}

	private void quarantine(Standing during, Links links, Verdict verdict) {
		Standing quarantined = Standing.quarantined(verdict.reason(), verdict.remaining(), this.ticker.nanoTime(),
				links);
		if (this.board.replace(during, quarantined)) {
			this.guard.serve(quarantined, verdict, this.board, this.scheduler);
		}
	}

	private void failed(Standing during, Links links, Throwable failure) {
		Throwable cause = (failure instanceof CompletionException && failure.getCause() != null) ? failure.getCause()
				: failure;
		if (cause instanceof MissingRights.Refusal refusal) {
			checkAgain(during, refusal.standing(links), PAUSE_WHILE_UNFIT);
			return;
		}
		if (!(cause instanceof RedisCommandExecutionException)) {
			giveUp(links, "The check failed: " + LinkErrors.describe(failure));
			return;
		}
		String error = String.valueOf(cause.getMessage());
		if (ServerErrors.asksForReconnect(error)) {
			giveUp(links, "The cluster has changed: " + ServerErrors.fault(error).detail());
			return;
		}
		String credentials = ServerErrors.credentials(error);
		Standing failed = (credentials != null) ? Standing.of(State.UNFIT, credentials + ". " + remedy(""), links)
				: Standing.checkRefused(error, links);
		checkAgain(during, failed, (failed.state() == State.UNFIT) ? PAUSE_WHILE_UNFIT : PAUSE_WHILE_LOADING);
	}

	private void checkAgain(Standing during, Standing to, Duration pause) {
		if (this.board.replace(during, to)) {
			this.scheduler.schedule(pause, () -> {
				Links links = to.links();
				if (links != null && this.board.now() == to) {
					check(to, links);
				}
			});
		}
	}

	private String remedy(String group) {
		String instance = "redlock.instances." + this.node;
		return "Set " + instance + group + ".password, and " + instance + group
				+ ".username unless the user is 'default'"
				+ (group.isEmpty() ? " (or both in " + instance + ".url)" : "");
	}

	private void giveUp(Links links, String why) {
		ConnectionKeeper connectionKeeper = this.keeper;
		if (connectionKeeper != null) {
			connectionKeeper.giveUp(links, why);
		}
	}

}
