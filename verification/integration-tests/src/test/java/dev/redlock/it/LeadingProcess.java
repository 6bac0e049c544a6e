package dev.redlock.it;

import java.time.Duration;

import dev.redlock.spring.leader.LeaderRole;
import dev.redlock.spring.leader.LeaderTemplate;
import org.awaitility.Awaitility;

/**
 * A process that leads a role until it is told to end. Arguments are properties.
 */
final class LeadingProcess {

	private LeadingProcess() {
	}

	public static void main(String[] args) throws InterruptedException {
		LeaderTemplate leaders = HoldingProcess.start(args).getBean(LeaderTemplate.class);
		leaders.join("importer");
		LeaderRole role = leaders.role("importer");
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(role::isLeader);
		System.out.println("leading in " + role.term().orElseThrow());
		Thread.currentThread().join();
	}

}
