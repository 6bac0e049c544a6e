package dev.redlock.nemesis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

import dev.redlock.spring.fencing.FencedResource;
import dev.redlock.spring.fencing.StaleFenceException;

/**
 * The numbers that holders of locks add to: for each name one that checks the fence and
 * one that does not.
 */
final class Resources {

	/**
	 * The answer to a holder that came too late.
	 */
	static final long REFUSED = -1;

	private final Map<String, Cell> checked = new ConcurrentHashMap<>();

	private final Map<String, Cell> unchecked = new ConcurrentHashMap<>();

	/**
	 * Claims the fenced number and reads it.
	 */
	long claim(String name, long fence) {
		Cell cell = cell(this.checked, name);
		try {
			return cell.fenced.<Long>access(fence, () -> cell.value);
		}
		catch (StaleFenceException ex) {
			return REFUSED;
		}
	}

	long writeChecked(String name, long fence, long base) {
		Cell cell = cell(this.checked, name);
		try {
			return cell.fenced.<Long>access(fence, () -> write(cell, base));
		}
		catch (StaleFenceException ex) {
			return REFUSED;
		}
	}

	long read(String name) {
		Cell cell = cell(this.unchecked, name);
		cell.lock.lock();
		try {
			return cell.value;
		}
		finally {
			cell.lock.unlock();
		}
	}

	long write(String name, long base) {
		Cell cell = cell(this.unchecked, name);
		cell.lock.lock();
		try {
			return write(cell, base);
		}
		finally {
			cell.lock.unlock();
		}
	}

	private static long write(Cell cell, long base) {
		cell.value = base + 1;
		return cell.value;
	}

	private static Cell cell(Map<String, Cell> cells, String name) {
		return cells.computeIfAbsent(name, Cell::new);
	}

	/**
	 * One number. Only the lock of the one or the other kind guards it.
	 */
	private static final class Cell {

		private final FencedResource fenced;

		private final ReentrantLock lock = new ReentrantLock();

		private long value;

		Cell(String name) {
			this.fenced = new FencedResource(name);
		}

	}

}
