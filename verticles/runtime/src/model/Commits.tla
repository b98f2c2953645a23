------------------------------ MODULE Commits ------------------------------
(***************************************************************************)
(* How the commands of one instance become its history: lanes and          *)
(* followers, the committer and its chains, commits whose outcome is       *)
(* unknown, two nodes that both act as the owner, repeats by the router,   *)
(* crashes and cached copies. Locks are left out: safety must not need     *)
(* them.                                                                   *)
(*                                                                         *)
(* A state of the instance is modelled as the sequence of the decisions    *)
(* that led to it. Its revision is its length, its id that of its last     *)
(* decision. A proposal is the state that it leads to: it was built on     *)
(* that state without its last decision.                                   *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Nodes,
  Commands,       \* numbers; a command resumes the bookmark of its own number,
  Rivals,         \* these all resume one bookmark,
  Unnamed,        \* and these whatever bookmark is there: always possible
  AttemptsMax,    \* of the router, for each command
  FollowersMax,   \* commands of an instance at a node that are decided, not committed
  TriesMax,       \* of the committer, for each chain
  RepeatsMax, CrashesMax, LossesMax, RefusalsMax, DeletesMax, \* faults in one behaviour
  FENCE,          \* what a commit compares: "revision" or "stateId" (and the revision)
  STATE_ID,       \* of a decision: that of its "command", or "fresh"
  FOLLOWERS,      \* of a proposal that was not committed: "kept" or "die"
  SNAPSHOT,       \* in which a repeat reads journal and state: "one" or "two"
  FIRST_ATTEMPT,  \* of an unnamed resume: does it ask the journal? "checked" or "unchecked"
  COPIES,         \* whose commands are known, in place of the journal: "whole", "but the last"
  REFUSAL,        \* is believed when it was decided on: the "database" or a "copy"
  JOINED          \* the refusal of a work that a repeat joined: "rechecked" or "believed"

VARIABLES
  row,      \* the stored state
  journal,  \* of the instance: its decisions in the order of their commits
  late,     \* statements whose connection broke: they may still be executed
  orders,   \* on their way to a node
  sent,     \* by the router: the number of the attempt whose answer it awaits
  answer,   \* of each command
  lane,     \* of each node: the commands in their order
  flight,   \* of each node: how the chain under way is doing
  copy,     \* of each node: the state that it committed last; <<>>: none
  faults    \* that happened so far

database == <<row, journal, late>>
router == <<orders, sent, answer>>
vars == <<row, journal, late, orders, sent, answer, lane, flight, copy, faults>>

Symmetry == Permutations(Nodes)

Last(s) == s[Len(s)]
Base(s) == SubSeq(s, 1, Len(s) - 1)

\* A decision: <<command, attempt, how often this attempt has decided>>.
Started(n) == <<0, 0, n>>
Id(decision) == IF STATE_ID = "fresh" THEN decision ELSE decision[1]
StateId(s) == IF Last(s)[1] = 0 THEN Last(s) ELSE Id(Last(s))

Lowest(S) == CHOOSE x \in S : \A y \in S : x <= y
Bookmark(c) == IF c \in Unnamed \cup {0} THEN 0 ELSE IF c \in Rivals THEN Lowest(Rivals) ELSE c
Waits(s, c) == Bookmark(c) = 0 \/ \A i \in DOMAIN s : Bookmark(s[i][1]) # Bookmark(c)
Done == {journal[i][1] : i \in DOMAIN journal}

-----------------------------------------------------------------------------
(* The database. A statement is a chain: a sequence of proposals.          *)

Holds(statement) ==
  LET base == Base(statement[1]) IN
  /\ Len(row) = Len(base)
  /\ FENCE = "stateId" => StateId(row) = StateId(base)

Write(statement) ==
  /\ row' = Last(statement)
  /\ journal' = journal \o [i \in DOMAIN statement |-> Last(statement[i])]

Linked(s, t) ==
  /\ Len(t) = Len(s) + 1
  /\ FENCE = "stateId" => StateId(Base(t)) = StateId(s)

\* A statement that nobody waits for any more.
LandLate ==
  \E statement \in late :
    /\ Holds(statement)
    /\ Write(statement)
    /\ late' = late \ {statement}
    /\ UNCHANGED <<router, lane, flight, copy, faults>>

\* The instance is deleted and started again under its id.
DeleteAndStart ==
  /\ faults.deletes < DeletesMax
  /\ faults' = [faults EXCEPT !.deletes = @ + 1]
  /\ row' = <<Started(faults.deletes + 2)>>
  /\ journal' = row'
  /\ UNCHANGED <<late, router, lane, flight, copy>>

-----------------------------------------------------------------------------
(* The router. An order that is never delivered is lost.                   *)

Send(c) ==
  /\ answer[c] = "none"
  /\ sent[c] < AttemptsMax
  /\ IF sent[c] = 0
     THEN UNCHANGED faults
     ELSE /\ faults.repeats < RepeatsMax
          /\ faults' = [faults EXCEPT !.repeats = @ + 1]
  /\ sent' = [sent EXCEPT ![c] = @ + 1]
  /\ \E n \in Nodes : orders' = orders \cup {[c |-> c, a |-> sent[c] + 1, node |-> n]}
  /\ UNCHANGED <<database, answer, lane, flight, copy>>

\* What these works are answered; an answer to an attempt before the last is not heard.
Answered(works, what) ==
  [c \in Commands |->
    IF answer[c] = "none" /\ \E w \in works : w.c = c /\ sent[c] \in {w.a} \cup w.joined
    THEN IF what = "unavailable" /\ sent[c] > 1 THEN "unknown" ELSE what
    ELSE answer[c]]

Deliver ==
  \E o \in orders :
    LET same == {i \in DOMAIN lane[o.node] : lane[o.node][i].c = o.c} IN
    /\ orders' = orders \ {o}
    /\ lane' =
         IF o.a > 1 /\ same # {}
         THEN [lane EXCEPT ![o.node][Lowest(same)].joined = @ \cup {o.a}]
         ELSE [lane EXCEPT ![o.node] = Append(@,
                [c |-> o.c, a |-> o.a, joined |-> {}, st |-> "waiting", decisions |-> 0,
                 s |-> <<>>])]
    /\ UNCHANGED <<database, sent, answer, flight, copy, faults>>

-----------------------------------------------------------------------------
(* The lane of a node. The state of a work is one of                       *)
(*   waiting: not begun                                                    *)
(*   again:   to be decided anew, from the database                        *)
(*   looked:  not in the journal; the state is not read yet                *)
(*   queued:  decided; its proposal waits in the committer                 *)
(*   flying:  its proposal is part of the chain that was sent              *)

Without(works, ended) == SelectSeq(works, LAMBDA w : w \notin ended)

Range(works) == {works[i] : i \in DOMAIN works}
Pending(w) == w.st \in {"queued", "flying"}
IsFirst(w) == w.a = 1 /\ w.st = "waiting"
AsksJournal(w) == ~IsFirst(w) \/ (FIRST_ATTEMPT = "checked" /\ w.c \in Unnamed)

\* A state has one history; it is known of copies that a node has made from the start on.
Lacks(s, c) ==
  \A i \in DOMAIN s : (COPIES = "whole" \/ i < Len(s)) => s[i][1] # c

Propose(n, i, base) ==
  LET w == lane[n][i]
      d == <<w.c, w.a, w.decisions + 1>>
  IN /\ lane' = [lane EXCEPT ![n][i].st = "queued",
                             ![n][i].decisions = @ + 1,
                             ![n][i].s = Append(base, d)]
     /\ UNCHANGED <<answer, copy>>

End(n, i, what) ==
  /\ answer' = Answered({lane[n][i]}, what)
  /\ lane' = [lane EXCEPT ![n] = Without(@, {lane[n][i]})]
  /\ UNCHANGED copy

Deciding == UNCHANGED <<database, orders, sent, flight, faults>>

DecideOnCopy(n) ==
  LET w == lane[n][1] IN
  /\ lane[n] # <<>>
  /\ IsFirst(w)
  /\ copy[n] # <<>>
  /\ ~AsksJournal(w) \/ Lacks(copy[n], w.c)
  /\ IF Waits(copy[n], w.c) THEN Propose(n, 1, copy[n])
     ELSE IF REFUSAL = "copy" THEN End(n, 1, "refused")
     ELSE copy' = [copy EXCEPT ![n] = <<>>] /\ UNCHANGED <<lane, answer>>
  /\ Deciding

DecideOnRow(n) ==
  LET w == lane[n][1] IN
  /\ lane[n] # <<>>
  /\ \/ IsFirst(w) /\ ~AsksJournal(w) /\ copy[n] = <<>>
     \/ w.st = "looked"
  /\ IF Waits(row, w.c) THEN Propose(n, 1, row)
     ELSE IF w.st = "waiting" /\ w.joined # {} /\ JOINED = "rechecked"
     THEN lane' = [lane EXCEPT ![n][1].st = "again"] /\ UNCHANGED <<answer, copy>>
     ELSE End(n, 1, "refused")
  /\ Deciding

DecideOnJournalAndRow(n) ==
  LET w == lane[n][1] IN
  /\ lane[n] # <<>>
  /\ w.st \in {"waiting", "again"} /\ AsksJournal(w)
  /\ IF w.c \in Done THEN End(n, 1, "success")
     ELSE IF SNAPSHOT = "two"
     THEN lane' = [lane EXCEPT ![n][1].st = "looked"] /\ UNCHANGED <<answer, copy>>
     ELSE IF Waits(row, w.c) THEN Propose(n, 1, row)
     ELSE End(n, 1, "refused")
  /\ Deciding

Follow(n) ==
  \E i \in 2..Len(lane[n]) :
    LET w == lane[n][i]
        base == lane[n][i - 1].s
    IN /\ IsFirst(w) /\ ~AsksJournal(w)
       /\ Pending(lane[n][i - 1])
       /\ Cardinality({k \in DOMAIN lane[n] : Pending(lane[n][k])}) < FollowersMax
       /\ IF Waits(base, w.c) THEN Propose(n, i, base)
          ELSE REFUSAL = "copy" /\ End(n, i, "refused")
       /\ Deciding

-----------------------------------------------------------------------------
(* The committer of a node: one chain under way.                           *)

Idle == [phase |-> "idle", tries |-> 0, uncertain |-> FALSE]

Works(n, st) == SelectSeq(lane[n], LAMBDA w : w.st = st)
Chain(n) == LET f == Works(n, "flying") IN [i \in DOMAIN f |-> f[i].s]

\* All that is queued and follows, one on the other.
Take(n) ==
  LET q == Works(n, "queued")
      size == CHOOSE k \in 1..Len(q) :
                /\ \A i \in 2..k : Linked(q[i - 1].s, q[i].s)
                /\ k = Len(q) \/ ~Linked(q[k].s, q[k + 1].s)
      taken == {q[i] : i \in 1..size}
  IN /\ flight[n].phase = "idle" /\ q # <<>>
     /\ lane' = [lane EXCEPT ![n] =
          [i \in DOMAIN @ |-> IF @[i] \in taken THEN [@[i] EXCEPT !.st = "flying"] ELSE @[i]]]
     /\ flight' = [flight EXCEPT ![n] = [Idle EXCEPT !.phase = "sent", !.tries = 1]]
     /\ UNCHANGED <<database, router, copy, faults>>

Landed(n, how) == [flight EXCEPT ![n] = how]

Committed(n) ==
  LET ended == Range(Works(n, "flying")) IN
  /\ answer' = Answered(ended, "success")
  /\ lane' = [lane EXCEPT ![n] = Without(@, ended)]
  /\ copy' = [copy EXCEPT ![n] = Last(Chain(n))]
  /\ flight' = Landed(n, Idle)

Anew(w) == [w EXCEPT !.st = "again", !.s = <<>>]

\* What was queued behind a chain that came to nothing.
Behind(w) == IF FOLLOWERS = "die" /\ w.st = "queued" THEN Anew(w) ELSE w

\* Nothing of the chain was written, nor ever will be.
Lost(n) ==
  LET first == Works(n, "flying")[1]
      told(w) == IF w.st # "flying" THEN Behind(w)
                 ELSE IF FOLLOWERS = "die" \/ w = first THEN Anew(w)
                 ELSE [w EXCEPT !.st = "queued"]
  IN /\ lane' = [lane EXCEPT ![n] = [i \in DOMAIN @ |-> told(@[i])]]
     /\ copy' = [copy EXCEPT ![n] = <<>>]
     /\ flight' = Landed(n, Idle)
     /\ UNCHANGED answer

\* The callers of the chain are told that it was refused, or that nobody knows.
GiveUp(n, what) ==
  LET ended == Range(Works(n, "flying"))
      rest == Without(lane[n], ended)
  IN /\ answer' = Answered(ended, what)
     /\ lane' = [lane EXCEPT ![n] = [i \in DOMAIN rest |-> Behind(rest[i])]]
     /\ copy' = [copy EXCEPT ![n] = <<>>]
     /\ flight' = Landed(n, Idle)

DidNotWin(n) ==
  IF flight[n].uncertain
  THEN /\ flight' = Landed(n, [flight[n] EXCEPT !.phase = "asks"])
       /\ UNCHANGED <<answer, lane, copy>>
  ELSE Lost(n)

Execute(n) ==
  /\ flight[n].phase = "sent"
  /\ IF Holds(Chain(n))
     THEN Write(Chain(n)) /\ Committed(n)
     ELSE DidNotWin(n) /\ UNCHANGED <<row, journal>>
  /\ UNCHANGED <<late, orders, sent, faults>>

\* A guard of the statement does not hold: a timer, a key, a token.
FailGuard(n) ==
  /\ flight[n].phase = "sent"
  /\ faults.refusals < RefusalsMax
  /\ faults' = [faults EXCEPT !.refusals = @ + 1]
  /\ DidNotWin(n)
  /\ UNCHANGED <<database, orders, sent>>

Unsure(n) ==
  /\ flight[n].phase = "sent"
  /\ faults.losses < LossesMax
  /\ faults' = [faults EXCEPT !.losses = @ + 1]
  /\ flight' = Landed(n, [flight[n] EXCEPT !.phase = "unsure", !.uncertain = TRUE])
  /\ UNCHANGED <<router, lane, copy>>

LoseAnswer(n) == Unsure(n) /\ Holds(Chain(n)) /\ Write(Chain(n)) /\ UNCHANGED late

\* It may be executed later, or never.
LoseStatement(n) == Unsure(n) /\ late' = late \cup {Chain(n)} /\ UNCHANGED <<row, journal>>

\* The database refuses the statement, and says so.
Refuse(n) ==
  /\ flight[n].phase = "sent"
  /\ faults.refusals < RefusalsMax
  /\ faults' = [faults EXCEPT !.refusals = @ + 1]
  /\ GiveUp(n, IF flight[n].uncertain THEN "unknown" ELSE "unavailable")
  /\ UNCHANGED <<database, orders, sent>>

Repeat(n) ==
  /\ flight[n].phase = "unsure"
  /\ IF flight[n].tries < TriesMax
     THEN /\ flight' = Landed(n, [flight[n] EXCEPT !.phase = "sent", !.tries = @ + 1])
          /\ UNCHANGED <<answer, lane, copy>>
     ELSE GiveUp(n, "unknown")
  /\ UNCHANGED <<database, orders, sent, faults>>

\* A repeated chain that did not win may have lost to itself: the journal knows.
AskJournal(n) ==
  LET final == Last(Chain(n)) IN
  /\ flight[n].phase = "asks"
  /\ IF Len(final) <= Len(journal) /\ Id(journal[Len(final)]) = Id(Last(final)) THEN Committed(n)
     ELSE IF ~Holds(Chain(n)) THEN Lost(n)
     ELSE flight' = Landed(n, [flight[n] EXCEPT !.phase = "unsure"])
          /\ UNCHANGED <<answer, lane, copy>>
  /\ UNCHANGED <<database, orders, sent, faults>>

\* All that the node knew is gone; what it sent may still be executed.
Crash(n) ==
  /\ faults.crashes < CrashesMax
  /\ faults' = [faults EXCEPT !.crashes = @ + 1]
  /\ late' = IF flight[n].phase = "sent" THEN late \cup {Chain(n)} ELSE late
  /\ lane' = [lane EXCEPT ![n] = <<>>]
  /\ flight' = Landed(n, Idle)
  /\ copy' = [copy EXCEPT ![n] = <<>>]
  /\ UNCHANGED <<row, journal, router>>

-----------------------------------------------------------------------------
Init ==
  /\ row = <<Started(1)>>
  /\ journal = row
  /\ late = {}
  /\ orders = {}
  /\ sent = [c \in Commands |-> 0]
  /\ answer = [c \in Commands |-> "none"]
  /\ lane = [n \in Nodes |-> <<>>]
  /\ flight = [n \in Nodes |-> Idle]
  /\ copy = [n \in Nodes |-> <<>>]
  /\ faults = [repeats |-> 0, crashes |-> 0, losses |-> 0, refusals |-> 0, deletes |-> 0]

Next ==
  \/ \E c \in Commands : Send(c)
  \/ Deliver
  \/ \E n \in Nodes :
       \/ DecideOnCopy(n) \/ DecideOnRow(n) \/ DecideOnJournalAndRow(n) \/ Follow(n)
       \/ Take(n) \/ Execute(n) \/ Repeat(n) \/ AskJournal(n)
       \/ LoseAnswer(n) \/ LoseStatement(n) \/ Refuse(n) \/ FailGuard(n) \/ Crash(n)
  \/ LandLate
  \/ DeleteAndStart

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold.                                                         *)

\* Each row of the journal builds on the one before, and the state on all of them.
StateIsTheFoldOfTheJournal == row = journal

BookmarkIsResumedOnce ==
  \A i, k \in DOMAIN journal :
    i < k /\ Bookmark(journal[i][1]) # 0 => Bookmark(journal[i][1]) # Bookmark(journal[k][1])

CommandIsDoneOnce == Cardinality(Done) = Len(journal)

SuccessIsInTheJournal == \A c \in Commands : answer[c] = "success" => c \in Done

\* Whoever is told that the bookmark is gone had another command take it.
RefusalIsTrue ==
  \A c \in Commands : answer[c] = "refused" => c \notin Done /\ ~Waits(journal, c)

UnavailableWroteNothing == \A c \in Commands : answer[c] = "unavailable" => c \notin Done

\* Nothing waits to be sent that was built on what came to nothing.
NoOrphanIsPending ==
  \A n \in Nodes : \A w \in Range(lane[n]) :
    Pending(w) =>
      \/ \E v \in Range(lane[n]) : Pending(v) /\ v.s = Base(w.s)
      \/ Len(Base(w.s)) <= Len(journal) /\ Base(w.s) = SubSeq(journal, 1, Len(Base(w.s)))
=============================================================================
