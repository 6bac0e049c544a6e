package dev.redlock.docs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The files for a deployment are what the page about them says.
 */
@SuppressWarnings("unchecked")
class DeploymentTests {

	private static final Path FOLDER = Repository.ROOT.resolve("docs/files");

	private static final Set<String> NODES = Set.of("redlock-a", "redlock-b", "redlock-c", "redlock-d", "redlock-e");

	@Test
	void composeFileHasFiveIndependentServers() {
		Map<String, Object> services = map(load("compose.yml").get(0).get("services"));
		assertThat(services.keySet()).containsExactlyInAnyOrderElementsOf(NODES);
		Set<Object> ports = new HashSet<>();
		services.values().forEach((service) -> {
			assertKeepsLocks(String.join(" ", (List<String>) map(service).get("command")));
			ports.addAll((List<Object>) map(service).get("ports"));
		});
		assertThat(ports).hasSize(5);
	}

	@Test
	void eachNodeOnKubernetesIsOneServerOnAHostOfItsOwn() {
		Set<String> names = new TreeSet<>();
		for (Map<String, Object> set : ofKind("StatefulSet")) {
			names.add((String) map(set.get("metadata")).get("name"));
			Map<String, Object> spec = map(set.get("spec"));
			assertThat(spec).containsEntry("replicas", 1);
			// One kubectl apply for all sets would otherwise restart all servers at once.
			assertThat(map(spec.get("updateStrategy"))).containsEntry("type", "OnDelete");
			Map<String, Object> pod = map(map(spec.get("template")).get("spec"));
			Map<String, Object> anti = map(map(pod.get("affinity")).get("podAntiAffinity"));
			assertThat(anti).containsOnlyKeys("requiredDuringSchedulingIgnoredDuringExecution");
			assertThat(anti.toString()).contains("kubernetes.io/hostname");
			Map<String, Object> container = map(((List<Object>) pod.get("containers")).get(0));
			assertThat(container).containsKeys("readinessProbe", "livenessProbe", "resources");
			// While a server loads its data, redis-cli exits with 0.
			assertThat(map(container.get("readinessProbe")).toString()).contains("PONG");
		}
		assertThat(names).containsExactlyInAnyOrderElementsOf(NODES);
		assertThat(ofKind("Service")).extracting((service) -> map(service.get("metadata")).get("name"))
			.containsExactlyInAnyOrderElementsOf(new ArrayList<Object>(NODES));
	}

	@Test
	void serversOnKubernetesNeverEvict() {
		assertThat(ofKind("ConfigMap")).singleElement()
			.satisfies((config) -> assertKeepsLocks((String) map(config.get("data")).get("redis.conf")));
	}

	@Test
	void aDrainOnKubernetesTakesOneServerAtATime() {
		assertThat(ofKind("PodDisruptionBudget")).singleElement().satisfies((budget) -> {
			Map<String, Object> spec = map(budget.get("spec"));
			assertThat(spec).containsEntry("maxUnavailable", 1);
			Object selected = map(spec.get("selector")).get("matchLabels");
			assertThat(ofKind("StatefulSet")).allSatisfy((set) -> {
				Map<String, Object> template = map(map(set.get("spec")).get("template"));
				assertThat(map(map(template.get("metadata")).get("labels"))).containsAllEntriesOf(map(selected));
			});
		});
	}

	@Test
	void eachAlertLeadsToItsSectionOfTheRunbook() {
		Set<String> headings = MarkdownPage.read(Repository.ROOT.resolve("docs/runbook.md")).anchors();
		List<Object> groups = (List<Object>) load("alerts.yml").get(0).get("groups");
		for (Object rule : (List<Object>) map(groups.get(0)).get("rules")) {
			String name = (String) map(rule).get("alert");
			assertThat(map(map(rule).get("annotations"))).containsEntry("runbook_url",
					"docs/runbook.md#" + name.toLowerCase(Locale.ROOT));
			assertThat(headings).contains(name.toLowerCase(Locale.ROOT));
		}
	}

	private static void assertKeepsLocks(String settings) {
		assertThat(settings).containsPattern("maxmemory-policy noeviction")
			.containsPattern("appendonly yes")
			.containsPattern("appendfsync always");
	}

	private static List<Map<String, Object>> ofKind(String kind) {
		return load("kubernetes.yml").stream().filter((object) -> kind.equals(object.get("kind"))).toList();
	}

	private static List<Map<String, Object>> load(String file) {
		List<Map<String, Object>> documents = new ArrayList<>();
		new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(Repository.read(FOLDER.resolve(file)))
			.forEach((document) -> documents.add(map(document)));
		return documents;
	}

	private static Map<String, Object> map(Object value) {
		return (Map<String, Object>) value;
	}

}
