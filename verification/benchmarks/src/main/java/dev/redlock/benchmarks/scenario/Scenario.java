package dev.redlock.benchmarks.scenario;

import java.util.Set;

import dev.redlock.benchmarks.report.Result;

/**
 * Something that contenders are asked to do.
 */
interface Scenario {

	/**
	 * The name on the command line.
	 */
	String name();

	/**
	 * What is done, in a sentence.
	 */
	String title();

	/**
	 * The servers that it needs.
	 */
	Set<Site> sites();

	Result run(Bench bench);

}
