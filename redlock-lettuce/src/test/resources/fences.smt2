; The argument for the fences, for any number of nodes, attempts and quorums.
;
; An attempt is one try to get the lock. It is done once its lease was handed out. A node
; has one lock key and one counter; an attempt that locks several names has this for each.
; A symbol with a plus sign at its end is the state after a step. FenceProofTests checks:
;   - the invariants hold in the empty state,
;   - each step keeps all of them,
;   - they imply the promises at the end.
; Steps in capitals bear the names of the scripts. A key may be lost at any moment: it
; expires, or somebody deletes it. Nothing here mentions time. Not covered: a counter that
; is missing, because it was lost or has expired after its retention (its new start comes
; from the clock of the node, see docs/project/safety.md), and claims without a fence.

(declare-sort Node)
(declare-sort Attempt)
(declare-sort Fence)
(declare-sort Quorum)

; Any two quorums share a node.
(declare-fun in (Node Quorum) Bool)
(declare-fun shared (Quorum Quorum) Node)
(assert (forall ((q Quorum) (r Quorum)) (and (in (shared q r) q) (in (shared q r) r))))

; Fences have a total order.
(declare-fun less (Fence Fence) Bool)
(assert (forall ((x Fence)) (not (less x x))))
(assert (forall ((x Fence) (y Fence) (z Fence)) (=> (and (less x y) (less y z)) (less x z))))
(assert (forall ((x Fence) (y Fence)) (or (less x y) (= x y) (less y x))))

; --- state

; The key of the node has the token of the attempt.
(declare-fun key (Node Attempt) Bool)
(declare-fun counter (Node) Fence)
; The attempt has begun, so it may have asked nodes.
(declare-fun begun (Attempt) Bool)
; At one instant before the hand-out, the node had the key of the attempt and this counter.
(declare-fun counted (Node Attempt Fence) Bool)
; The lease of the attempt was handed out, with this fence, counted by this quorum.
(declare-fun done (Attempt) Bool)
(declare-fun fence (Attempt) Fence)
(declare-fun by (Attempt) Quorum)
; The lease of the first was handed out before the second began.
(declare-fun before (Attempt Attempt) Bool)

; --- invariants

(define-fun one-owner () Bool (forall ((n Node) (a Attempt) (b Attempt))
  (=> (and (key n a) (key n b)) (= a b))))
(define-fun keys-of-begun () Bool (forall ((n Node) (a Attempt))
  (=> (key n a) (begun a))))
(define-fun counts-of-begun () Bool (forall ((n Node) (a Attempt) (f Fence))
  (=> (counted n a f) (begun a))))
(define-fun order-of-begun () Bool (forall ((a Attempt) (b Attempt))
  (=> (before a b) (and (done a) (begun b)))))
(define-fun done-by-quorum () Bool (forall ((n Node) (a Attempt))
  (=> (and (done a) (in n (by a))) (counted n a (fence a)))))
(define-fun counters-cover-counts () Bool (forall ((n Node) (a Attempt) (f Fence))
  (=> (counted n a f) (not (less (counter n) f)))))
(define-fun owners-are-above-others () Bool (forall ((n Node) (a Attempt) (b Attempt) (f Fence))
  (=> (and (key n a) (not (done a)) (counted n b f) (not (= a b))) (less f (counter n)))))
(define-fun one-count-per-fence () Bool (forall ((n Node) (a Attempt) (b Attempt) (f Fence))
  (=> (and (counted n a f) (counted n b f)) (= a b))))
(define-fun later-counts-are-above () Bool (forall ((n Node) (a Attempt) (b Attempt) (f Fence))
  (=> (and (before a b) (counted n a (fence a)) (counted n b f)) (less (fence a) f))))
(define-fun owners-count-at-their-counter () Bool (forall ((n Node) (a Attempt))
  (=> (and (key n a) (not (done a))) (counted n a (counter n)))))

; --- changes

(define-fun keys-stay () Bool (forall ((m Node) (b Attempt))
  (= (key+ m b) (key m b))))
(define-fun key-becomes ((n Node) (a Attempt)) Bool (forall ((m Node) (b Attempt))
  (= (key+ m b) (ite (= m n) (= b a) (key m b)))))
(define-fun key-goes ((n Node)) Bool (forall ((m Node) (b Attempt))
  (= (key+ m b) (and (not (= m n)) (key m b)))))
(define-fun counters-stay () Bool (forall ((m Node))
  (= (counter+ m) (counter m))))
(define-fun counter-becomes ((n Node) (f Fence)) Bool (forall ((m Node))
  (= (counter+ m) (ite (= m n) f (counter m)))))
(define-fun counts-stay () Bool (forall ((m Node) (b Attempt) (g Fence))
  (= (counted+ m b g) (counted m b g))))
; An answer after the hand-out is not counted.
(define-fun count ((n Node) (a Attempt) (f Fence)) Bool (forall ((m Node) (b Attempt) (g Fence))
  (= (counted+ m b g) (or (counted m b g) (and (= m n) (= b a) (= g f) (not (done a)))))))
(define-fun attempts-stay () Bool (forall ((a Attempt) (b Attempt))
  (and (= (begun+ a) (begun a)) (= (done+ a) (done a)) (= (fence+ a) (fence a)) (= (by+ a) (by a))
    (= (before+ a b) (before a b)))))

; --- steps
; Two steps of a client.

; An attempt begins. It may propose any fence.
(define-fun PROPOSE ((b Attempt)) Bool (and
  (not (begun b))
  (forall ((a Attempt)) (and (= (begun+ a) (or (begun a) (= a b))) (= (done+ a) (done a))
    (= (fence+ a) (fence a)) (= (by+ a) (by a))))
  (forall ((x Attempt) (y Attempt)) (= (before+ x y) (or (before x y) (and (done x) (= y b)))))
  keys-stay counters-stay counts-stay))
; A quorum counted at one fence.
(define-fun HAND_OUT ((a Attempt) (f Fence) (q Quorum)) Bool (and
  (begun a)
  (not (done a))
  (forall ((n Node)) (=> (in n q) (counted n a f)))
  (forall ((b Attempt)) (and (= (begun+ b) (begun b)) (= (done+ b) (or (done b) (= b a)))
    (= (fence+ b) (ite (= b a) f (fence b))) (= (by+ b) (ite (= b a) q (by b)))))
  (forall ((x Attempt) (y Attempt)) (= (before+ x y) (before x y)))
  keys-stay counters-stay counts-stay))

; Steps of a node, each of them atomic.

; script ACQUIRE 53f64a25
(define-fun ACQUIRE ((n Node) (a Attempt) (t Fence)) Bool (and
  (begun a)
  (forall ((b Attempt)) (not (key n b)))
  (less (counter n) t)
  (key-becomes n a) (counter-becomes n t) (count n a t) attempts-stay))
; The node has the key of the predecessor p, or, in a hand-over within a process, no key.
; (A strict succession also compares the counter with the fence of p: that nobody was in
; between is a promise of its own, which the simulation checks.)
; script SUCCEED 4c73ca4b
(define-fun SUCCEED ((n Node) (a Attempt) (p Attempt) (t Fence)) Bool (and
  (begun a)
  (done p)
  (not (= a p))
  (forall ((b Attempt)) (=> (key n b) (= b p)))
  (less (counter n) t)
  (key-becomes n a) (counter-becomes n t) (count n a t) attempts-stay))
; Before the hand-out, f is the highest fence that nodes granted to the attempt, so it is
; not below what this node granted. Afterwards it is the fence of the lease.
; script EXTEND 88e32e2
(define-fun EXTEND ((n Node) (a Attempt) (f Fence)) Bool (and
  (key n a)
  (ite (done a) (= f (fence a)) (forall ((g Fence)) (=> (counted n a g) (not (less f g)))))
  (counter-becomes n (ite (less (counter n) f) f (counter n)))
  (count n a f) keys-stay attempts-stay))
; script RESTORE 32fab9f9
(define-fun RESTORE ((n Node) (a Attempt)) Bool (and
  (done a)
  (forall ((b Attempt)) (=> (key n b) (= b a)))
  (not (less (fence a) (counter n)))
  (key-becomes n a) (counter-becomes n (fence a)) counts-stay attempts-stay))
; script RELEASE cfd95b8c
(define-fun RELEASE ((n Node) (a Attempt)) Bool (and
  (key n a)
  (key-goes n) counters-stay counts-stay attempts-stay))
(define-fun LOSE ((n Node)) Bool (and
  (key-goes n) counters-stay counts-stay attempts-stay))

; --- promises

(define-fun unique () Bool (forall ((a Attempt) (b Attempt))
  (=> (and (done a) (done b) (= (fence a) (fence b))) (= a b))))
(define-fun rising () Bool (forall ((a Attempt) (b Attempt))
  (=> (and (before a b) (done b)) (less (fence a) (fence b)))))
