package dev.redlock.nemesis;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A client process. Works from "ready" until it reads "stop", says "idle" once all locks
 * are released, and ends when its input does.
 */
final class ClientMain {

	private ClientMain() {
	}

	/**
	 * Arguments: the name of this process, the directory for its history, the class of
	 * the driver, whether the restart guard is on, the seed, the number of threads, the
	 * number of names, the address of the resources, and those of the servers.
	 */
	public static void main(String[] args) throws Exception {
		String source = args[0];
		SplittableRandom random = new SplittableRandom(Long.parseLong(args[4]));
		int threads = Integer.parseInt(args[5]);
		List<String> servers = Arrays.stream(args).skip(8).toList();
		BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
		try (History history = History.open(Path.of(args[1]), source); LockDriver driver = driver(args[2])) {
			driver.connect(servers, Boolean.parseBoolean(args[3]));
			List<Worker> workers = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				workers.add(new Worker(source + "-" + i, driver, history, new ResourceClient(args[7]), random.split(),
						Integer.parseInt(args[6])));
			}
			System.out.println(ClientProcess.READY);
			workers.forEach(Worker::start);
			await(input, ClientProcess.STOP);
			workers.forEach(Worker::finish);
			for (Worker worker : workers) {
				worker.join();
			}
			driver.settle();
			System.out.println(ClientProcess.IDLE);
			input.readLine();
		}
		// Not every library ends all of its threads.
		System.exit(0);
	}

	private static void await(BufferedReader input, String expected) throws Exception {
		String line = input.readLine();
		if (!expected.equals(line)) {
			// The run is gone, and nobody would ever stop this process.
			System.exit(1);
		}
	}

	private static LockDriver driver(String type) throws ReflectiveOperationException {
		return (LockDriver) Class.forName(type).getDeclaredConstructor().newInstance();
	}

}
