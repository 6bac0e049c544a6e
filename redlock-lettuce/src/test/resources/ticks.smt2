; The argument for jobs that run once per tick, for any number of nodes, attempts and
; quorums, in the form of fences.smt2.
;
; An attempt is one try to run one tick. Each node has a register with the last tick and
; the attempt that marked it. Marks that were lost are covered by a floor: a node does not
; vote on ticks up to its floor. That a floor covers all ticks that a loss can have taken
; is the part of clocks, see docs/project/safety.md. Nothing in the argument needs
; the lock.

(declare-sort Node)
(declare-sort Attempt)
(declare-sort Fence)
(declare-sort Quorum)

; Any two quorums share a node.
(declare-fun in (Node Quorum) Bool)
(declare-fun shared (Quorum Quorum) Node)
(assert (forall ((q Quorum) (r Quorum)) (and (in (shared q r) q) (in (shared q r) r))))

; Ticks have a total order. (The sort has the name that the tests know.)
(declare-fun less (Fence Fence) Bool)
(assert (forall ((x Fence)) (not (less x x))))
(assert (forall ((x Fence) (y Fence) (z Fence)) (=> (and (less x y) (less y z)) (less x z))))
(assert (forall ((x Fence) (y Fence)) (or (less x y) (= x y) (less y x))))

; The tick that an attempt is for.
(declare-fun tick (Attempt) Fence)

; --- state

; The last tick in the register of the node, and the attempt that marked it.
(declare-fun last (Node) Fence)
(declare-fun owner (Node Attempt) Bool)
; The node does not vote on this tick or an earlier one.
(declare-fun floor (Node) Fence)
; The node has granted the mark to the attempt.
(declare-fun marked (Node Attempt) Bool)
; The work of the attempt began, because this quorum had granted the mark.
(declare-fun ran (Attempt) Bool)
(declare-fun by (Attempt) Quorum)

; --- invariants

(define-fun one-owner () Bool (forall ((n Node) (a Attempt) (b Attempt))
  (=> (and (owner n a) (owner n b)) (= a b))))
(define-fun marks-are-covered () Bool (forall ((n Node) (a Attempt))
  (=> (marked n a) (or (not (less (last n) (tick a))) (not (less (floor n) (tick a)))))))
(define-fun last-mark-is-of-owner () Bool (forall ((n Node) (a Attempt))
  (=> (and (marked n a) (= (last n) (tick a)) (less (floor n) (tick a))) (owner n a))))
(define-fun one-mark-per-tick () Bool (forall ((n Node) (a Attempt) (b Attempt))
  (=> (and (marked n a) (marked n b) (= (tick a) (tick b))) (= a b))))
(define-fun ran-by-quorum () Bool (forall ((n Node) (a Attempt))
  (=> (and (ran a) (in n (by a))) (marked n a))))

; --- changes

(define-fun registers-stay () Bool (forall ((m Node) (b Attempt))
  (and (= (last+ m) (last m)) (= (floor+ m) (floor m)) (= (owner+ m b) (owner m b)))))
(define-fun marks-stay () Bool (forall ((m Node) (b Attempt))
  (= (marked+ m b) (marked m b))))
(define-fun attempts-stay () Bool (forall ((a Attempt))
  (and (= (ran+ a) (ran a)) (= (by+ a) (by a)))))

; --- steps

; A tick that stands for now is a tick of the moment at which it is marked, and the register
; then gets a later one. The condition on the key is left out, so the argument holds with it, too.
; script TICK c2f5dddb
(define-fun TICK ((n Node) (a Attempt)) Bool (and
  (less (floor n) (tick a))
  (or (less (last n) (tick a)) (and (= (last n) (tick a)) (owner n a)))
  (forall ((m Node) (b Attempt)) (and
    (= (last+ m) (ite (= m n) (tick a) (last m)))
    (= (owner+ m b) (ite (= m n) (= b a) (owner m b)))
    (= (floor+ m) (floor m))
    (= (marked+ m b) (or (marked m b) (and (= m n) (= b a))))))
  attempts-stay))
; The node loses its register, or gets an old one back. What it may have had is at most s.
(define-fun FORGET ((n Node) (s Fence)) Bool (and
  (not (less s (last n)))
  (not (less s (floor n)))
  (forall ((m Node) (b Attempt)) (and
    (=> (not (= m n)) (and (= (last+ m) (last m)) (= (owner+ m b) (owner m b)) (= (floor+ m) (floor m))))
    (=> (= m n) (and (not (less s (last+ m))) (= (floor+ m) s) (not (owner+ m b))))))
  marks-stay attempts-stay))
; A quorum has granted the mark, and the work begins.
(define-fun RUN ((a Attempt) (q Quorum)) Bool (and
  (not (ran a))
  (forall ((n Node)) (=> (in n q) (marked n a)))
  (forall ((b Attempt)) (and (= (ran+ b) (or (ran b) (= b a))) (= (by+ b) (ite (= b a) q (by b)))))
  registers-stay marks-stay))

; --- promises

(define-fun once () Bool (forall ((a Attempt) (b Attempt))
  (=> (and (ran a) (ran b) (= (tick a) (tick b))) (= a b))))
