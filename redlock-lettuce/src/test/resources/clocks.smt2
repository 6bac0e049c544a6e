; Mutual exclusion with clocks. Two leases A and B were granted by two majorities, which
; share a node. Can both be valid at one real instant? All times are in milliseconds.
;
; ClockProofTests defines, with values of the code: ttl, validity (of a lease with this ttl,
; counted from T1), drift (the clock drift factor), granularity (of expiry), step (the clock
; step that is taken off), max-ttl, least-step and per-drift (see ClockWatch), look-period,
; quarantine, bound (between a node's clock and a proposed fence), leniency (what a missing counter
; is below the node's clock), spread (between the clocks of the nodes).
;
; Not covered: a node whose clock steps back and forth between two answers to B, a B that
; started after the step, and clients whose clocks are off by more than the drift factor.

; --- clocks

; The clocks of A's client and of B's client, and of the node, at these instants. In the
; order of real time: A begins, A's command leaves, the node sets A's key, the node sets B's
; key, B hears of it, and both hold a lease.
(declare-const a-begins Real)
(declare-const a-sends Real)
(declare-const a-set Real)
(declare-const a-other Real)
(declare-const a-heard Real)
(declare-const a-both Real)
(declare-const b-set Real)
(declare-const b-other Real)
(declare-const b-heard Real)
(declare-const b-both Real)
(declare-const n-set Real)
(declare-const n-other Real)

; Neither clock runs faster than the other by more than the drift factor.
(define-fun same-rate ((x Real) (y Real)) Bool
  (and (>= x 0) (>= y 0) (>= x (* (- 1 drift) y)) (>= y (* (- 1 drift) x))))
(define-fun rates () Bool (and
  (>= a-set a-sends)
  (same-rate (- a-other a-set) (- b-other b-set))
  (same-rate (- a-heard a-other) (- b-heard b-other))
  (same-rate (- a-both a-heard) (- b-both b-heard))))

; --- lease

(define-fun T1-before-the-send () Bool (<= a-begins a-sends))
(define-fun a-valid () Bool (< (- a-both a-begins) validity))
(define-fun key-expired () Bool (>= (- n-other n-set) (- ttl granularity)))

; --- step

; What B's client measures: the node's clock gained at most this against its own while A's
; key lived. An answer hides a gain for as long as it takes: "request" is the way of the
; quickest request before, "answer" the way of the answer that granted B.
(declare-const request Real)
(declare-const answer Real)
(define-fun quick-request () Bool (= request 0))
(define-fun unnoticed () Bool (=> (<= (- b-other b-set) max-ttl)
  (<= (- (- n-other n-set) (- b-other b-set)) (+ step request answer))))
(define-fun ways () Bool (and (>= request 0) (>= answer 0) (>= (- b-heard b-other) answer)))

; --- watch

; How ClockWatch compares: the distance of the two clocks at an answer, with the lowest of
; this window and of the one before. A window ends with the first answer after max-ttl.
(declare-const before-starts Real)
(declare-const before-lowest Real)
(declare-const starts Real)
(declare-const lowest Real)
(declare-const set Real)
(declare-const now Real)
(declare-const gained-before Real)
(declare-const gained-lowest Real)
(declare-const gained-set Real)
(declare-const gained-now Real)
(define-fun window ((start Real) (end Real)) Bool
  (and (<= (+ start max-ttl) end) (<= end (+ start max-ttl look-period))))
(define-fun windows () Bool (and
  (window before-starts starts)
  (<= before-starts before-lowest starts lowest now)
  (<= now (+ starts max-ttl look-period))
  (<= (- now max-ttl) set now)))
; When A's key was set, the clock was not behind the answer before and the one after it.
(define-fun no-dip () Bool (or
  (>= gained-set gained-lowest)
  (and (< set starts) (>= gained-set gained-before))))
(define-fun not-noticed ((gained Real) (at Real)) Bool
  (<= (- gained-now gained) (+ least-step (* per-drift (- now at)))))
(define-fun unnoticed-by-watch () Bool (and
  (not-noticed gained-before before-lowest)
  (not-noticed gained-lowest lowest)))
(define-fun gain () Real (- gained-now gained-set))

; --- restart

; The node lost the key of A, and B's client saw the empty server later.
(declare-const b-saw Real)
(define-fun waited () Bool (and (>= b-saw b-set) (>= b-other (+ b-saw quarantine))))

; --- lost counter

; Fences are moments. Each is close to the clock of a node that voted for it, which may be
; ahead of this node's. This node loses its counter, waits and counts anew from its clock.
(declare-const forgotten Real)
(declare-const n-lost Real)
(declare-const n-again Real)
(define-fun once-voted-for () Bool (<= forgotten (+ n-lost spread bound)))
(define-fun waited-since () Bool (>= (- n-again n-lost) (* (- 1 drift) quarantine)))
(define-fun not-above () Bool (<= (- n-again leniency) forgotten))
