package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.sample.demo.Command.Kind;
import dev.redlock.sample.demo.Note.Tone;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Controls the buyers of a second JVM. Thread-safe.
 */
@Component
@FirstJvm
final class SecondJvm implements BuyerGroup {

	private static final Logger logger = LoggerFactory.getLogger(SecondJvm.class);

	private static final Duration ENDS_WITHIN = Duration.ofSeconds(6);

	private static final Duration BUYERS_LEAVE_WITHIN = Duration.ofSeconds(6);

	private final SecondJvmLauncher launcher;

	private final TurnListener listener;

	private final JsonMapper json;

	private final Journal journal;

	private final ReentrantLock lock = new ReentrantLock();

	private final AtomicInteger buying = new AtomicInteger();

	private volatile State state = State.OFF;

	private volatile @Nullable JvmProcess process;

	/**
	 * The command that its buyers obey, now or as soon as it runs.
	 */
	private volatile @Nullable Command order;

	private volatile CountDownLatch gone = new CountDownLatch(0);

	SecondJvm(SecondJvmLauncher launcher, TurnListener listener, JsonMapper json, Journal journal) {
		this.launcher = launcher;
		this.listener = listener;
		this.json = json;
		this.journal = journal;
	}

	/**
	 * Starts the JVM without waiting for it. Does nothing if it was started already.
	 */
	public void open() {
		this.lock.lock();
		try {
			if (this.state == State.OFF) {
				become(State.STARTING);
				this.process = this.launcher.launch(this::heard, this::ended);
			}
		}
		catch (RuntimeException ex) {
			become(State.OFF);
			throw ex;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends the JVM, and waits until it has ended.
	 */
	public void close() {
		this.lock.lock();
		try {
			JvmProcess jvm = this.process;
			if (jvm != null && this.state != State.OFF) {
				jvm.end(ENDS_WITHIN);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The state of the second JVM.
	 * @return the state
	 */
	public State state() {
		return this.state;
	}

	@Override
	public void start(Protection protection, int count) {
		Command start = new Command(Kind.START, protection, count);
		this.order = start;
		if (this.state == State.RUNNING) {
			obey(start);
		}
	}

	@Override
	public void protect(Protection protection) {
		Command now = this.order;
		if (now != null) {
			this.order = new Command(Kind.START, protection, now.buyers());
			send(new Command(Kind.PROTECT, protection, now.buyers()));
		}
	}

	@Override
	public void stop() {
		this.order = null;
		if (!isBuying()) {
			return;
		}
		CountDownLatch leaving = new CountDownLatch(1);
		this.gone = leaving;
		send(new Command(Kind.STOP, Protection.NONE, 0));
		try {
			if (!leaving.await(BUYERS_LEAVE_WITHIN.toNanos(), TimeUnit.NANOSECONDS)) {
				logger.warn("The buyers of the second JVM did not stop within {}", BUYERS_LEAVE_WITHIN);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public boolean isBuying() {
		return this.buying.get() > 0;
	}

	/**
	 * Runs early, so that the JVM can still release its locks.
	 */
	@EventListener(ContextClosedEvent.class)
	void shutDown() {
		close();
	}

	private void obey(Command start) {
		this.buying.set(start.buyers());
		send(start);
	}

	private void send(Command command) {
		JvmProcess jvm = this.process;
		if (jvm != null && this.state == State.RUNNING) {
			jvm.send(this.json.writeValueAsString(command));
		}
	}

	private void heard(String line) {
		if (line.startsWith(Pipe.TURN)) {
			turned(this.json.readValue(line.substring(Pipe.TURN.length()), Turn.class));
		}
		else if (line.equals(Pipe.READY)) {
			become(State.RUNNING);
			Command waiting = this.order;
			if (waiting != null) {
				obey(waiting);
			}
		}
		else if (line.equals(Pipe.GONE)) {
			allGone();
		}
		else {
			logger.info("{}", line);
		}
	}

	private void turned(Turn turn) {
		if (turn.phase() == Turn.Phase.SOLD_OUT) {
			this.buying.decrementAndGet();
		}
		this.listener.turnChanged(turn);
	}

	private void ended() {
		allGone();
		become(State.OFF);
	}

	private void allGone() {
		this.buying.set(0);
		this.gone.countDown();
	}

	private void become(State next) {
		this.state = next;
		switch (next) {
			case STARTING -> this.journal.note(Tone.PLAIN, "A second JVM is starting.");
			case RUNNING -> this.journal.note(Tone.GOOD, "The second JVM is there, on the same nodes and stock.");
			case OFF -> this.journal.note(Tone.PLAIN, "The second JVM has ended.");
		}
	}

	/**
	 * The states of the second JVM.
	 */
	public enum State {

		/**
		 * It does not run.
		 */
		OFF,

		/**
		 * It was started but is not ready yet.
		 */
		STARTING,

		/**
		 * It is ready.
		 */
		RUNNING

	}

}
