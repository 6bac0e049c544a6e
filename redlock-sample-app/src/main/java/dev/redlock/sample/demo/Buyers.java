package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.redlock.RedlockSettings;
import dev.redlock.sample.shop.FlashSale;
import dev.redlock.sample.shop.StockBooks;
import jakarta.annotation.PreDestroy;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/**
 * The buyers of this JVM. Thread-safe.
 */
@Component
final class Buyers implements BuyerGroup {

	/**
	 * The article that all of them buy.
	 */
	public static final String ARTICLE = "sneaker";

	private static final Duration LEAVING_WITHIN = Duration.ofSeconds(5);

	private final FlashSale sale;

	private final StockBooks books;

	private final Duration thinkTime;

	private final TurnListener listener;

	private final String jvm;

	private final AtomicLong purchases = new AtomicLong();

	private final AtomicBoolean pauseNext = new AtomicBoolean();

	private final ReentrantLock lock = new ReentrantLock();

	private volatile Protection protection = Protection.LOCK_AND_FENCE;

	private volatile Crowd crowd = Crowd.nobody();

	Buyers(FlashSale sale, StockBooks books, @Value("${flash-sale.think-time:40ms}") Duration thinkTime,
			TurnListener listener, RedlockSettings settings) {
		this.sale = sale;
		this.books = books;
		this.thinkTime = thinkTime;
		this.listener = listener;
		this.jvm = settings.owner();
	}

	@Override
	public void start(Protection newProtection, int count) {
		this.lock.lock();
		try {
			stop();
			this.protection = newProtection;
			this.pauseNext.set(false);
			Pace pace = new Pace(this.thinkTime, this.pauseNext, () -> this.protection);
			List<Thread> threads = IntStream.rangeClosed(1, count).mapToObj((number) -> thread(number, pace)).toList();
			threads.forEach(Thread::start);
			this.crowd = new Crowd(pace, threads);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void protect(Protection newProtection) {
		this.protection = newProtection;
	}

	@Override
	@PreDestroy
	public void stop() {
		this.lock.lock();
		try {
			this.crowd.sendAway(LEAVING_WITHIN);
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean isBuying() {
		return this.crowd.isThere();
	}

	/**
	 * Pauses the next buyer that gets the lock for longer than the lock is valid.
	 */
	public void pauseNextHolder() {
		this.pauseNext.set(true);
	}

	/**
	 * Returns whether no buyer has got the lock since {@link #pauseNextHolder()}.
	 */
	boolean isAboutToPause() {
		return isBuying() && this.pauseNext.get();
	}

	private Thread thread(int number, Pace pace) {
		Supplier<Purchase> purchases = () -> new Purchase(next(number), this.listener, pace,
				() -> this.books.find(ARTICLE).sold());
		Thread thread = new Thread(new Buyer(this.sale, pace, purchases), "buyer-" + number);
		thread.setDaemon(true);
		return thread;
	}

	private Turn next(int buyer) {
		return Turn.waiting(this.jvm, buyer, this.purchases.incrementAndGet(), this.protection, Micros.now());
	}

}
