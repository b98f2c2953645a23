-------------------------------- MODULE Keys --------------------------------
(***************************************************************************)
(* One idempotency key and the requests that carry it: claims, their       *)
(* leases, takeovers, commits that demand the claim, releases, and         *)
(* connections that break around each of them. A statement whose           *)
(* connection broke may have been executed, may be executed later, or      *)
(* never.                                                                  *)
(***************************************************************************)
EXTENDS Naturals, FiniteSets, TLC

CONSTANTS
  Nodes,
  Requests,   \* numbers from 1
  LEASE,      \* ticks of the database's clock from the last renewal of a claim
  CLAIM_MAX,  \* ticks of a claim that is not renewed
  LossesMax, CrashesMax, TicksMax, \* in one behaviour
  CLAIM,      \* is in use while its node lives: until CLAIM_MAX ("fixed"), or as long as the
              \* request that works on it renews it ("leased")
  RELEASE,    \* whose connection broke: is left ("once") or "repeated"
  COMMIT      \* demands the claim ("fenced") or does not ("unfenced")

VARIABLES
  key,      \* the row: claim 0 is none; reply 0 is none, else that of the request
  effects,  \* the requests whose commit took effect
  late,     \* statements whose connection broke: they may still be executed
  request,  \* of each: its node and how far it has come
  answer,   \* of each
  session,  \* of each node: its present one
  idle,     \* ticks since somebody worked on the claim
  faults

vars == <<key, effects, late, request, answer, session, idle, faults>>

Symmetry == Permutations(Nodes)
Nobody == "nobody"
Free == [claim |-> 0, node |-> Nobody, session |-> 0, left |-> 0, reply |-> 0]

InUse ==
  /\ key.claim # 0 /\ key.reply = 0
  /\ key.left > 0
  /\ session[key.node] = key.session

\* Somebody works on the claim, or will still end it.
HasWorker == \E r \in Requests : r = key.claim /\ request[r].st \in {"works", "unsure", "ends"}

Abandoned ==
  /\ key.claim # 0 /\ key.reply = 0
  /\ ~HasWorker
  /\ \A s \in late : s.r # key.claim

-----------------------------------------------------------------------------
(* The statements, as the database executes them.                          *)

Claimed(r, node, sessionThen) ==
  [claim |-> r, node |-> node, session |-> sessionThen,
   left |-> IF CLAIM = "leased" THEN LEASE ELSE CLAIM_MAX, reply |-> 0]

\* Who claims may take a node for gone that is not.
MayClaim(takesForGone) == key.reply = 0 /\ (~InUse \/ takesForGone)

Wins(r) == COMMIT = "fenced" => key.claim = r /\ key.reply = 0

Commit(r) ==
  /\ effects' = effects \cup {r}
  /\ key' = IF key.claim = r THEN [key EXCEPT !.reply = r] ELSE key

Released(r) == IF key.claim = r /\ key.reply = 0 THEN Free ELSE key

LandLate ==
  \E s \in late :
    /\ late' = late \ {s}
    /\ CASE s.kind = "claim" ->
              /\ MayClaim(FALSE)
              /\ key' = Claimed(s.r, s.node, s.session)
              /\ UNCHANGED effects
         [] s.kind = "commit" -> Wins(s.r) /\ Commit(s.r)
         [] s.kind = "release" -> key' = Released(s.r) /\ UNCHANGED effects
         [] s.kind = "renew" ->
              /\ key.claim = s.r /\ key.reply = 0
              /\ key' = [key EXCEPT !.left = LEASE]
              /\ UNCHANGED effects
    /\ idle' = 0
    /\ UNCHANGED <<request, answer, session, faults>>

Late(kind, r) ==
  late' = late \cup
    {[kind |-> kind, r |-> r, node |-> request[r].node, session |-> session[request[r].node]]}

Lose == faults.losses < LossesMax /\ faults' = [faults EXCEPT !.losses = @ + 1]

To(r, st) == request' = [request EXCEPT ![r].st = st]
Tell(r, what) == answer' = [answer EXCEPT ![r] = what]

-----------------------------------------------------------------------------
(* What becomes of a request.                                              *)

Arrive(r) ==
  /\ request[r].st = "new"
  /\ \E n \in Nodes : request' = [request EXCEPT ![r] = [st |-> "claims", node |-> n]]
  /\ UNCHANGED <<key, effects, late, answer, session, idle, faults>>

AskForClaim(r) ==
  /\ request[r].st = "claims"
  /\ \E takesForGone \in BOOLEAN :
       IF MayClaim(takesForGone)
       THEN /\ key' = Claimed(r, request[r].node, session[request[r].node])
            /\ idle' = 0
            /\ To(r, "works")
            /\ UNCHANGED answer
       ELSE /\ To(r, "done")
            /\ Tell(r, IF key.reply = 0 THEN "in use" ELSE "success")
            /\ UNCHANGED <<key, idle>>
  /\ UNCHANGED <<effects, late, session, faults>>

\* A claim whose answer is lost is refused with "unavailable".
LoseClaim(r) ==
  /\ request[r].st = "claims"
  /\ Lose
  /\ \/ MayClaim(FALSE) /\ key' = Claimed(r, request[r].node, session[request[r].node])
        /\ idle' = 0 /\ UNCHANGED late
     \/ Late("claim", r) /\ UNCHANGED <<key, idle>>
  /\ To(r, IF RELEASE = "repeated" THEN "ends" ELSE "done")
  /\ Tell(r, "unavailable")
  /\ UNCHANGED <<effects, session>>

Renew(r) ==
  /\ CLAIM = "leased"
  /\ request[r].st \in {"works", "unsure"}
  /\ key.claim = r /\ key.reply = 0 /\ key.left < LEASE
  /\ \/ key' = [key EXCEPT !.left = LEASE] /\ idle' = 0 /\ UNCHANGED <<late, faults>>
     \/ Lose /\ Late("renew", r) /\ UNCHANGED <<key, idle>>
  /\ UNCHANGED <<effects, request, answer, session>>

\* Ended without a commit: overloaded, not ready, an incomplete request.
Fail(r) ==
  /\ request[r].st \in {"works", "unsure"}
  /\ Tell(r, IF request[r].st = "works" THEN "unavailable" ELSE "unknown")
  /\ To(r, "ends")
  /\ UNCHANGED <<key, effects, late, session, idle, faults>>

DoCommit(r) ==
  /\ request[r].st \in {"works", "unsure"}
  /\ IF Wins(r)
     THEN Commit(r) /\ Tell(r, "success")
     ELSE /\ Tell(r, IF r \in effects THEN "success" ELSE "in use")
          /\ UNCHANGED <<key, effects>>
  /\ To(r, "done")
  /\ UNCHANGED <<late, session, idle, faults>>

LoseCommit(r) ==
  /\ request[r].st \in {"works", "unsure"}
  /\ Lose
  /\ \/ Wins(r) /\ Commit(r) /\ UNCHANGED late
     \/ Late("commit", r) /\ UNCHANGED <<key, effects>>
  /\ To(r, "unsure")
  /\ UNCHANGED <<answer, session, idle>>

Release(r) ==
  /\ request[r].st = "ends"
  /\ key' = Released(r)
  /\ To(r, "done")
  /\ UNCHANGED <<effects, late, answer, session, idle, faults>>

LoseRelease(r) ==
  /\ request[r].st = "ends"
  /\ Lose
  /\ Late("release", r) \/ UNCHANGED late
  /\ To(r, IF RELEASE = "repeated" THEN "ends" ELSE "done")
  /\ UNCHANGED <<key, effects, answer, session, idle>>

Crash(n) ==
  /\ faults.crashes < CrashesMax
  /\ faults' = [faults EXCEPT !.crashes = @ + 1]
  /\ session' = [session EXCEPT ![n] = @ + 1]
  /\ request' = [r \in Requests |->
       IF request[r].node = n /\ request[r].st # "new"
       THEN [request[r] EXCEPT !.st = "done"] ELSE request[r]]
  \* What it was committing may still be executed.
  /\ \E some \in SUBSET {r \in Requests : request[r].node = n /\ request[r].st \in {"works", "unsure"}} :
       late' = late \cup {[kind |-> "commit", r |-> r, node |-> n, session |-> session[n]] : r \in some}
  /\ UNCHANGED <<key, effects, answer, idle>>

Tick ==
  /\ faults.ticks < TicksMax
  /\ faults' = [faults EXCEPT !.ticks = @ + 1]
  /\ key.claim # 0 /\ key.reply = 0
  /\ key' = [key EXCEPT !.left = IF @ > 0 THEN @ - 1 ELSE 0]
  /\ idle' = IF Abandoned THEN idle + 1 ELSE 0
  /\ UNCHANGED <<effects, late, request, answer, session>>

-----------------------------------------------------------------------------
Init ==
  /\ key = Free
  /\ effects = {}
  /\ late = {}
  /\ request = [r \in Requests |-> [st |-> "new", node |-> Nobody]]
  /\ answer = [r \in Requests |-> "none"]
  /\ session = [n \in Nodes |-> 1]
  /\ idle = 0
  /\ faults = [losses |-> 0, crashes |-> 0, ticks |-> 0]

Next ==
  \/ \E r \in Requests :
       \/ Arrive(r) \/ AskForClaim(r) \/ LoseClaim(r) \/ Renew(r) \/ Fail(r)
       \/ DoCommit(r) \/ LoseCommit(r) \/ Release(r) \/ LoseRelease(r)
  \/ \E n \in Nodes : Crash(n)
  \/ LandLate
  \/ Tick

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold.                                                         *)

TakesEffectOnce == Cardinality(effects) <= 1

SuccessTookEffect == \A r \in Requests : answer[r] = "success" => effects # {}

UnavailableDidNothing == \A r \in Requests : answer[r] = "unavailable" => r \notin effects

\* Whoever repeats the request is given the reply of the commit that did it.
ReplyIsOfTheEffect == key.reply # 0 => effects = {key.reply}

\* A claim on which nobody works is free within a lease.
AbandonedClaimIsFree == Abandoned /\ idle >= LEASE => ~InUse
=============================================================================
