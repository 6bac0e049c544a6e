package io.netty.util.concurrent;

/**
 * Stands for the threads of Netty, which are found by the name of their class.
 */
public class FastThreadLocalThread extends Thread {

	public FastThreadLocalThread(Runnable task) {
		super(task, "of-netty");
	}

}
