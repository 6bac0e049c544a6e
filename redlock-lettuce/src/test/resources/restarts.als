/*
 * What restarts, lost data and the restart guard do to locks and fences, in a small scope:
 * three to five nodes, two or three attempts of two clients. RestartModelTests runs the
 * commands at the end.
 *
 * A moment is a state, and the step that leads to the next one. An attempt asks some nodes
 * at once (acquire and the settlement of its fence are one step here; fences.smt2 has them apart). Its lease is
 * handed out as soon as a majority has granted. It may lapse at any moment, and then its
 * keys may be taken: they expire no earlier than the lease (clocks.smt2).
 *
 * Time is one relation: "past" is a moment that is a whole quarantine ago. What was claimed
 * until then has lapsed, and fences that are given now are above those of then.
 *
 * A declared node is one whose operator declares that it keeps each write that it has
 * answered: a restart finds its last data, or none.
 *
 * An extension asks some nodes at once as well. It counts if a majority still has the key. Then
 * the lease need not lapse for another quarantine, and the keys of the other nodes may expire
 * before it.
 *
 * Not covered: claims that an extension writes again, clusters, steps of clocks. Nor evictions: a
 * client that sees a server that may evict, or that has evicted, takes its data for lost. For the
 * guard that is what FLUSH does with a new marker, and what is evicted before the next look is one
 * of the limits in safety.md.
 */
open util/ordering[Moment] as moments

sig Client {}

sig Attempt { client: Client, fence: lone Moment }

sig Node {
	// The server: its process, by the moment at which it started. Whether each write reaches the disk at once.
	process: Moment -> Moment,
	durable: set Moment,
	// Its data. The marker is known by the moment at which it was made, the record by the check that wrote it.
	key: Attempt -> Moment,
	counter: Moment -> Moment,
	marker: Moment -> Moment,
	record: Moment -> Moment,
	// The last check of each client.
	seen: Client -> Moment -> Moment,
	// What a check wrote down, on the server: since when it has kept its locks, and whether it was always durable.
	moment: Moment -> Moment,
	saidDurable: set Moment,
	// And in its client: when it first saw this life, and whether this life may vote.
	sight: Moment -> Moment,
	sawDurable, firstLife, voted: set Moment
}

abstract sig Step {}
one sig ACQUIRE, EXTEND, RESTART, FLUSH, CONFIG, CHECK, NOTHING extends Step {}

sig Moment {
	past: lone Moment,
	lapsed: set Attempt,
	step: Step,
	on: set Node,
	of: lone Attempt,
	by: lone Client,
	loads: lone Moment
}

// The guard, and what it does without one of its parts.
abstract sig Guard {}
one sig Whole, NoQuarantine, UnboundScripts, NoMarker, PresentLife, MinorityExtends extends Guard {}

// What safety.md says is not noticed.
abstract sig Limit {}
one sig None, OldState, UnseenChange, LostRecord, FalseWord extends Limit {}

one sig Setting { guard: Guard, limit: Limit, declared: set Node }

fun upTo [t: Moment]: set Moment { t + prevs[t] }

fun granted [a: Attempt, t: Moment]: set Node { (prevs[t] & step.ACQUIRE & of.a).on }

fun leases [t: Moment]: set Attempt { { a: Attempt | majority[granted[a, t]] } }

// The extensions of an attempt that counted.
fun extensions [a: Attempt, t: Moment]: set Moment {
	{ e: prevs[t] & step.EXTEND & of.a | majority[e.on] or Setting.guard = MinorityExtends }
}

// A key may expire before its lease once an extension counted without its node, and until one has its node.
pred hasExpired [a: Attempt, n: Node, t: Moment] {
	some e: extensions[a, t] | n not in ((e + nexts[e]) & prevs[t] & step.EXTEND & of.a).on
}

pred majority [nodes: set Node] { #nodes > #(Node - nodes) }

pred sameData [n: Node, t, u: Moment] {
	n.key.u = n.key.t
	n.counter.u = n.counter.t
	n.marker.u = n.marker.t
	n.record.u = n.record.t
}

pred noData [n: Node, u: Moment] {
	no n.key.u and no n.counter.u and no n.marker.u and no n.record.u
}

pred sameServer [n: Node, t, u: Moment] {
	n.process.u = n.process.t
	u in n.durable iff t in n.durable
}

// Each server is known. Each client has seen it since it started, or not yet.
pred start [t: Moment] {
	all n: Node {
		no n.key.t and no n.counter.t
		n.process.t = t and n.marker.t = t and n.record.t = t and n.moment.t = t and n.sight.t = t
		t in n.firstLife and t in n.voted
		t in n.saidDurable iff writesAll[n, t]
		t in n.sawDurable iff writesAll[n, t]
		all c: Client | n.seen[c].t in t
	}
}

// --- LockScript.ACQUIRE, which is bound to a process and compares the marker

pred mayVote [c: Client, n: Node, t: Moment] {
	let s = n.seen[c].t {
		some s
		Setting.guard = NoQuarantine or served[n, s, t]
		Setting.guard = UnboundScripts or n.process.t = n.process.s
		Setting.guard in UnboundScripts + NoMarker or n.marker.t = n.marker.s
	}
}

pred acquire [n: Node, t, u: Moment] {
	mayVote[t.of.client, n, t]
	n not in granted[t.of, t]
	n.key.t in t.lapsed or hasExpired[n.key.t, n, t]
	all f: n.counter.t | lt[f, t.of.fence]
	all e: upTo[t.past] & step.ACQUIRE & on.n | lt[e.of.fence, t.of.fence]
	n.key.u = t.of and n.counter.u = t.of.fence
	n.marker.u = n.marker.t and n.record.u = n.record.t
	sameServer[n, t, u]
}

// --- LockScript.EXTEND, which is bound to a process, needs the key, and so compares no marker

pred extend [n: Node, t, u: Moment] {
	let s = n.seen[t.of.client].t | some s and n.process.t = n.process.s
	t.of in leases[t]
	n.key.t = t.of and n.key.u = t.of
	(no t.of.fence or (some n.counter.t and gte[n.counter.t, t.of.fence]))
		implies n.counter.u = n.counter.t else n.counter.u = t.of.fence
	n.marker.u = n.marker.t and n.record.u = n.record.t
	sameServer[n, t, u]
}

// --- what happens to servers

// A server that is not durable may start with older data, or with none.
pred restart [n: Node, t, u: Moment] {
	n.process.u = u
	no t.loads implies noData[n, u] else sameData[n, t.loads, u]
	t.loads in upTo[t]
	n in Setting.declared implies keepsItsWord[t] else keepsItsDisk[n, t]
}

pred keepsItsWord [t: Moment] {
	Setting.limit != FalseWord implies t.loads in t
}

pred keepsItsDisk [n: Node, t: Moment] {
	let lost = upTo[t] - upTo[t.loads] {
		Setting.limit != OldState implies no lost & n.durable
		Setting.limit not in OldState + UnseenChange implies
			no s: (n.seen[Client].t & n.sawDurable) + (n.record.t & n.saidDurable) | n.process.s in n.process.lost
		Setting.limit != LostRecord implies
			n.process.(n.record.t) not in n.process.lost or n.record.(t.loads) = n.record.t
	}
}

pred flush [n: Node, t, u: Moment] {
	noData[n, u]
	sameServer[n, t, u]
}

pred config [n: Node, t, u: Moment] {
	sameData[n, t, u]
	n.process.u = n.process.t
	u in n.durable iff t not in n.durable
}

// What a check finds: declared nodes count as durable.
pred writesAll [n: Node, t: Moment] { t in n.durable or n in Setting.declared }

// --- a check. If one of these changes, compare it with the model, and write the new digest here.
// code DataHistory.SCRIPT ee942a1f
// code RestartGuard.trustAfterCheck 2336ecc0
// code RestartGuard.remaining 80f6e883
// code Server.hasLocksOf 8e5afd81
// code KnownServer.hasLocksOf 12a1c061

pred checked [c: Client, n: Node, t, u: Moment] {
	sameServer[n, t, u]
	n.key.u = n.key.t and n.counter.u = n.counter.t
	some n.marker.t implies n.marker.u = n.marker.t else n.marker.u = u
	n.record.u = u
	let r = n.record.t, s = n.seen[c].t,
		sameMarker = (n.marker.r = n.marker.u), same = (n.marker.r = n.marker.u and n.process.r = n.process.t),
		sawMarker = (n.marker.s = n.marker.u), saw = (n.marker.s = n.marker.u and n.process.s = n.process.t),
		keeps = (Setting.guard = PresentLife implies writesAll[n, t] else r in n.saidDurable),
		sawKeeps = (Setting.guard = PresentLife implies writesAll[n, t] else s in n.sawDurable) {
		some r and (same or (sameMarker and keeps)) and (no s or saw or (sawMarker and sawKeeps))
			implies n.moment.u = n.moment.r else n.moment.u = u
		u in n.saidDurable iff (writesAll[n, t] and (same implies r in n.saidDurable))
		u in n.sawDurable iff (u in n.saidDurable and ((some s and saw) implies s in n.sawDurable))
		some s and (saw or (sawMarker and sawKeeps and n.moment.u = n.moment.s)) implies {
			n.sight.u = n.sight.s
			u in n.firstLife iff s in n.firstLife
			u in n.voted iff served[n, s, t]
		} else {
			n.sight.u = u
			u in n.firstLife iff no s
			u not in n.voted
		}
	}
}

pred served [n: Node, s, t: Moment] {
	s in n.voted or n.sight.s in upTo[t.past] or (s in n.firstLife and n.moment.s in upTo[t.past])
}

// --- histories

pred stepped [t, u: Moment] {
	some t.on iff t.step != NOTHING
	t.step = NOTHING implies prevs[t].step in NOTHING
	some t.of iff t.step in ACQUIRE + EXTEND
	some t.by iff t.step = CHECK
	some t.loads implies t.step = RESTART
	no t.of & t.lapsed
	t.lapsed in u.lapsed
	all n: t.on {
		t.step = ACQUIRE implies acquire[n, t, u]
		t.step = EXTEND implies extend[n, t, u]
		t.step = RESTART implies restart[n, t, u]
		t.step = FLUSH implies flush[n, t, u]
		t.step = CONFIG implies config[n, t, u]
		t.step = CHECK implies checked[t.by, n, t, u]
	}
	all n: Node - t.on | sameData[n, t, u] and sameServer[n, t, u]
	all n: Node, c: Client | (n in t.on and c in t.by) implies n.seen[c].u = u else n.seen[c].u = n.seen[c].t
}

fact histories {
	start[moments/first]
	all t: Moment - moments/last | stepped[t, t.next]
	moments/last.step = NOTHING
	no moments/last.(on + of + by + loads)
	all t: Moment {
		t.past in prevs[t]
		all u: t.next | some t.past implies some u.past and u.past not in prevs[t.past]
		all a: (upTo[t.past] & step.ACQUIRE).of | a in t.lapsed or some extensions[a, t] - upTo[t.past]
	}
	// Only a check writes these down.
	all n: Node, u: Moment | u = moments/first or (u.prev.step = CHECK and n in u.prev.on) or
		(no n.moment.u and no n.sight.u and u not in n.saidDurable + n.sawDurable + n.firstLife + n.voted)
}

// --- promises. Only an acquired key can break them, so it is enough to look behind each of these.

pred exclusive { lone leases[moments/last] - moments/last.lapsed }

pred unique { all disj a, b: leases[moments/last] | a.fence != b.fence }

pred rising {
	all t: Moment, a: leases[t], b: leases[moments/last] - a | some granted[b, t] or lt[a.fence, b.fence]
}

pred setting [g: Guard, l: Limit] {
	no Setting.declared
	anySetting[g, l]
}

// All nodes are declared, and none has a disk that would help it keep its word.
pred declared [l: Limit] {
	Setting.declared = Node
	no durable
	anySetting[Whole, l]
}

pred anySetting [g: Guard, l: Limit] {
	Setting.guard = g and Setting.limit = l
	moments/last.prev.step = ACQUIRE
}

// Fences mean nothing for exclusion.
pred unfenced [g: Guard, l: Limit] { setting[g, l] and no fence }

pred fenced [g: Guard, l: Limit] { setting[g, l] and Attempt in fence.Moment }

// --- commands: the guard keeps the promises

check keepsExclusion { unfenced[Whole, None] implies exclusive }
	for exactly 3 Node, exactly 3 Attempt, exactly 2 Client, exactly 5 Moment
check keepsExclusionForLonger { unfenced[Whole, None] implies exclusive }
	for exactly 3 Node, exactly 2 Attempt, exactly 2 Client, exactly 6 Moment
check keepsExclusionOfFourNodes { unfenced[Whole, None] implies exclusive }
	for exactly 4 Node, exactly 2 Attempt, exactly 2 Client, exactly 5 Moment
check keepsExclusionOfFiveNodes { unfenced[Whole, None] implies exclusive }
	for exactly 5 Node, exactly 2 Attempt, exactly 2 Client, exactly 5 Moment
check keepsFences { fenced[Whole, None] implies unique and rising }
	for exactly 3 Node, exactly 2 Attempt, exactly 2 Client, exactly 5 Moment

check keepsExclusionOfOneNode { unfenced[Whole, None] implies exclusive }
	for exactly 1 Node, exactly 3 Attempt, exactly 2 Client, exactly 7 Moment
check keepsFencesOfOneNode { fenced[Whole, None] implies unique and rising }
	for exactly 1 Node, exactly 3 Attempt, exactly 2 Client, exactly 6 Moment
check keepsExclusionByTheWord { (declared[None] and no fence) implies exclusive }
	for exactly 3 Node, exactly 3 Attempt, exactly 2 Client, exactly 5 Moment
check keepsExclusionOfOneNodeByTheWord { (declared[None] and no fence) implies exclusive }
	for exactly 1 Node, exactly 3 Attempt, exactly 2 Client, exactly 7 Moment
check keepsFencesByTheWord { (declared[None] and Attempt in fence.Moment) implies unique and rising }
	for exactly 3 Node, exactly 2 Attempt, exactly 2 Client, exactly 5 Moment

// --- commands that take a minute

check deepKeepsExclusion { unfenced[Whole, None] implies exclusive }
	for exactly 3 Node, exactly 3 Attempt, exactly 2 Client, exactly 6 Moment
check deepKeepsExclusionOfExtended { unfenced[Whole, None] and EXTEND in Moment.step implies exclusive }
	for exactly 3 Node, exactly 2 Attempt, exactly 2 Client, exactly 7 Moment
check deepKeepsFences { fenced[Whole, None] implies unique and rising }
	for exactly 3 Node, exactly 3 Attempt, exactly 2 Client, exactly 5 Moment

// --- commands: histories that must be possible

run waitsAndVotesAgain { fenced[Whole, None] and CHECK in Moment.step and RESTART in Moment.step and #leases[moments/last] = 2 }
	for exactly 3 Node, exactly 2 Attempt, exactly 2 Client, exactly 5 Moment
run votesAtOnceByTheWord { declared[None] and no past and Attempt in fence.Moment and RESTART in Moment.step and #leases[moments/last] = 2 }
	for exactly 1 Node, exactly 2 Attempt, exactly 1 Client, exactly 5 Moment
run noQuarantine { unfenced[NoQuarantine, None] and not exclusive and FLUSH not in Moment.step }
	for exactly 3 Node, exactly 3 Attempt, exactly 2 Client, exactly 5 Moment
run noQuarantineOfFive { unfenced[NoQuarantine, None] and not exclusive and FLUSH not in Moment.step }
	for exactly 5 Node, exactly 2 Attempt, exactly 2 Client, exactly 5 Moment
run noQuarantineForFences { fenced[NoQuarantine, None] and exclusive and not rising and FLUSH not in Moment.step }
	for exactly 3 Node, exactly 2 Attempt, exactly 2 Client, exactly 5 Moment
run outlivesAQuarantine { fenced[Whole, None] and some (upTo[moments/last.past] & step.ACQUIRE).of - moments/last.lapsed and RESTART in Moment.step }
	for exactly 3 Node, exactly 2 Attempt, exactly 2 Client, exactly 6 Moment
run minorityExtends { unfenced[MinorityExtends, None] and not exclusive }
	for exactly 3 Node, exactly 2 Attempt, exactly 2 Client, exactly 4 Moment
run unboundScripts { unfenced[UnboundScripts, None] and not exclusive and FLUSH not in Moment.step }
	for exactly 3 Node, exactly 3 Attempt, exactly 2 Client, exactly 4 Moment
run noMarker { unfenced[NoMarker, None] and not exclusive }
	for exactly 3 Node, exactly 3 Attempt, exactly 2 Client, exactly 4 Moment
run presentLife { unfenced[PresentLife, None] and not exclusive }
	for exactly 3 Node, exactly 3 Attempt, exactly 2 Client, exactly 5 Moment
run oldState { unfenced[Whole, OldState] and not exclusive }
	for exactly 3 Node, exactly 3 Attempt, exactly 2 Client, exactly 5 Moment
run unseenChange { unfenced[Whole, UnseenChange] and not exclusive }
	for exactly 3 Node, exactly 2 Attempt, exactly 2 Client, exactly 6 Moment
run lostRecord { unfenced[Whole, LostRecord] and not exclusive and CONFIG in Moment.step }
	for exactly 3 Node, exactly 2 Attempt, exactly 2 Client, exactly 7 Moment
run falseWord { declared[FalseWord] and no fence and not exclusive }
	for exactly 3 Node, exactly 3 Attempt, exactly 2 Client, exactly 5 Moment
run falseWordOfOneNode { declared[FalseWord] and no fence and not exclusive }
	for exactly 1 Node, exactly 2 Attempt, exactly 2 Client, exactly 5 Moment
