package dev.redlock.sample.demo;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.sample.demo.Note.Tone;

import org.springframework.stereotype.Component;

/**
 * Keeps the latest turns and notes in their order. A page that has read up to some number
 * goes on from there. Thread-safe.
 */
@Component
@FirstJvm
final class Journal implements TurnListener {

	private static final int MOST_ENTRIES = 20_000;

	private static final Duration GAVE_UP_PAUSE = Duration.ofSeconds(2);

	private final ReentrantLock lock = new ReentrantLock();

	private final Deque<Entry> entries = new ArrayDeque<>();

	private Position last = new Position(newChapter(), 0);

	private long lastGaveUpMicros;

	private volatile long lastSaleMicros;

	@Override
	public void turnChanged(Turn turn) {
		if (turn.phase() == Turn.Phase.SOLD) {
			this.lastSaleMicros = turn.endMicros();
		}
		this.lock.lock();
		try {
			add(turn);
			Headlines.of(turn).filter((note) -> isNews(turn)).ifPresent(this::add);
		}
		finally {
			this.lock.unlock();
		}
	}

	long lastSaleMicros() {
		return this.lastSaleMicros;
	}

	void note(Tone tone, String text) {
		note(tone, text, "");
	}

	void note(Tone tone, String text, String mark) {
		this.lock.lock();
		try {
			add(new Note(Micros.now(), tone, text, mark));
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Deletes all turns and notes, and begins a new chapter.
	 */
	void clear() {
		this.lock.lock();
		try {
			this.entries.clear();
			this.last = new Position(newChapter(), 0);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns the entries after a position, or all if the position is in another chapter.
	 * Each turn is there once, in its latest state.
	 */
	Pages since(Position read) {
		Map<String, Turn> turns = new LinkedHashMap<>();
		List<Note> notes = new ArrayList<>();
		this.lock.lock();
		try {
			long number = read.chapter().equals(this.last.chapter()) ? read.number() : 0;
			Iterator<Entry> backwards = this.entries.descendingIterator();
			while (backwards.hasNext()) {
				Entry entry = backwards.next();
				if (entry.number <= number) {
					break;
				}
				if (entry.what instanceof Turn turn) {
					turns.putIfAbsent(turn.jvm() + "/" + turn.number(), turn);
				}
				else if (entry.what instanceof Note note) {
					notes.add(note);
				}
			}
			Collections.reverse(notes);
			return new Pages(this.last, List.copyOf(turns.values()), notes);
		}
		finally {
			this.lock.unlock();
		}
	}

	private static String newChapter() {
		return Long.toString(Micros.now(), Character.MAX_RADIX);
	}

	private void add(Object what) {
		this.last = new Position(this.last.chapter(), this.last.number() + 1);
		this.entries.add(new Entry(this.last.number(), what));
		if (this.entries.size() > MOST_ENTRIES) {
			this.entries.remove();
		}
	}

	/**
	 * Without a quorum all buyers give up for the same reason. One note is enough.
	 */
	private boolean isNews(Turn turn) {
		if (turn.phase() != Turn.Phase.GAVE_UP) {
			return true;
		}
		boolean news = turn.endMicros() - this.lastGaveUpMicros > GAVE_UP_PAUSE.toNanos() / 1_000;
		this.lastGaveUpMicros = news ? turn.endMicros() : this.lastGaveUpMicros;
		return news;
	}

	/**
	 * Some entries of the journal.
	 *
	 * @param last the position of the last entry
	 * @param turns the turns that have changed
	 * @param notes the notes, the oldest first
	 */
	record Pages(Position last, List<Turn> turns, List<Note> notes) {

	}

	private record Entry(long number, Object what) {

	}

}
