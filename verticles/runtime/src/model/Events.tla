------------------------------- MODULE Events -------------------------------
(***************************************************************************)
(* Publishers of events for one bookmark, each with one delivery; a timer  *)
(* of the instance; leaders of the timers that fire what they found, two   *)
(* of them where one does not know that it was replaced. Answers of        *)
(* commits are lost, and statements land late.                             *)
(*                                                                         *)
(* A delivery whose event has several receivers, or a key, is a row of the *)
(* timers table first (Durable); else it is fired at once, without a row.  *)
(***************************************************************************)
EXTENDS Naturals, Sequences, FiniteSets, TLC

CONSTANTS
  Publishers,   \* numbers from 1: also of their deliveries
  Durable,      \* of them
  Leaders,
  FiringsMax,   \* of the leaders together
  LossesMax,    \* in one behaviour
  ANSWER,       \* of a publisher counts the receivers that were "found" or "committed"
  COMMAND_ID,   \* of a delivery: "derived" from it, or "fresh" for each firing
  GUARD         \* of a commit that consumes a timer's row: "row" or "none"

Timer == 0 \* its row is there from the beginning; it changes no bookmark

VARIABLES
  journal,  \* of the instance: command ids
  rows,     \* of the timers table
  late,     \* statements whose connection broke: they may still be executed
  firing,   \* of each publisher and leader: what it fires and how far it is
  firings,  \* of the leaders, so far
  told,     \* to each publisher: how many it resumed
  losses

vars == <<journal, rows, late, firing, firings, told, losses>>

Symmetry == Permutations(Leaders)

Firers == Publishers \cup Leaders

CommandId(who, x) ==
  [of |-> x, by |-> IF COMMAND_ID = "derived" /\ x # Timer THEN <<0, 0>>
                    ELSE <<who, firing[who].number>>]
Delivered == {i \in DOMAIN journal : journal[i].of # Timer}
BookmarkWaits == Delivered = {}
IsDone(x) == \E i \in DOMAIN journal : journal[i].of = x
Knows(id) == \E i \in DOMAIN journal : journal[i] = id

None == [x |-> Timer, st |-> "none", revision |-> 0, number |-> 0, again |-> FALSE]
To(who, st) == firing' = [firing EXCEPT ![who].st = st]

-----------------------------------------------------------------------------
(* A publisher finds whoever waits, a leader a row.                        *)

Publish(p) ==
  /\ firing[p].st = "none"
  /\ IF BookmarkWaits
     THEN /\ firing' = [firing EXCEPT ![p] = [None EXCEPT !.x = p, !.st = "reads"]]
          /\ rows' = IF p \in Durable THEN rows \cup {p} ELSE rows
          /\ UNCHANGED told
     ELSE /\ told' = [told EXCEPT ![p] = 0]
          /\ To(p, "ended")
          /\ UNCHANGED rows
  /\ UNCHANGED <<journal, late, firings, losses>>

Pick(l) ==
  /\ firing[l].st = "none"
  /\ firings < FiringsMax
  /\ \E x \in rows : firing' = [firing EXCEPT ![l] =
       [None EXCEPT !.x = x, !.st = "reads", !.number = firings + 1]]
  /\ firings' = firings + 1
  /\ UNCHANGED <<journal, rows, late, told, losses>>

-----------------------------------------------------------------------------
(* The firing of x: read, decide, commit. A state is its revision here.    *)

\* It came to nothing, or somebody did it: leaders do not care which.
End(who) ==
  IF who \in Leaders
  THEN firing' = [firing EXCEPT ![who] = None] /\ UNCHANGED told
  ELSE /\ To(who, "ended")
       /\ told' = [told EXCEPT ![who] =
            IF ANSWER = "found" \/ Knows(CommandId(who, who)) THEN 1 ELSE 0]

Decide(who) ==
  LET x == firing[who].x IN
  /\ firing[who].st = "reads"
  /\ IF (firing[who].again => ~Knows(CommandId(who, x))) /\ (x = Timer \/ BookmarkWaits)
     THEN /\ firing' = [firing EXCEPT ![who].st = "commits", ![who].revision = Len(journal)]
          /\ UNCHANGED <<rows, told>>
     ELSE /\ End(who)
          /\ rows' = rows \ {x} \* nothing is left to do
  /\ UNCHANGED <<journal, late, firings, losses>>

IsRow(x) == x = Timer \/ x \in Durable

Statement(who) == [id |-> CommandId(who, firing[who].x), revision |-> firing[who].revision]

Wins(s) ==
  /\ s.revision = Len(journal)
  /\ GUARD = "row" /\ IsRow(s.id.of) => s.id.of \in rows

Write(s) == journal' = Append(journal, s.id) /\ rows' = rows \ {s.id.of}

Commit(who) ==
  /\ firing[who].st = "commits"
  /\ IF Wins(Statement(who))
     THEN Write(Statement(who)) /\ To(who, "won")
     ELSE /\ firing' = [firing EXCEPT ![who].again = TRUE,
               ![who].st = IF firing[who].revision = Len(journal) THEN "consumed" ELSE "reads"]
          /\ UNCHANGED <<journal, rows>>
  /\ UNCHANGED <<late, firings, told, losses>>

\* The answer is lost after the statement was executed, or before; it is repeated.
LoseAnswer(who) ==
  /\ firing[who].st = "commits"
  /\ losses < LossesMax
  /\ losses' = losses + 1
  /\ \/ Wins(Statement(who)) /\ Write(Statement(who)) /\ UNCHANGED late
     \/ late' = late \cup {Statement(who)} /\ UNCHANGED <<journal, rows>>
  /\ firing' = [firing EXCEPT ![who].again = TRUE]
  /\ UNCHANGED <<firings, told>>

LandLate ==
  \E s \in late :
    /\ Wins(s) /\ Write(s)
    /\ late' = late \ {s}
    /\ UNCHANGED <<firing, firings, told, losses>>

Answer(who) ==
  /\ firing[who].st \in {"won", "consumed"}
  /\ End(who)
  /\ UNCHANGED <<journal, rows, late, firings, losses>>

-----------------------------------------------------------------------------
Init ==
  /\ journal = <<>>
  /\ rows = {Timer}
  /\ late = {}
  /\ firing = [w \in Firers |-> None]
  /\ firings = 0
  /\ told = [p \in Publishers |-> 9]
  /\ losses = 0

Next ==
  \/ \E p \in Publishers : Publish(p)
  \/ \E l \in Leaders : Pick(l)
  \/ \E w \in Firers : Decide(w) \/ Commit(w) \/ LoseAnswer(w) \/ Answer(w)
  \/ LandLate

Spec == Init /\ [][Next]_vars

-----------------------------------------------------------------------------
(* What must hold.                                                         *)

\* Of those who publish events for one bookmark, one is told that it resumed it.
OneIsToldResumed == Cardinality({p \in Publishers : told[p] = 1}) <= 1

\* A publisher is told what was committed for its event, by whomever.
AnswerIsWhatWasCommitted ==
  \A p \in Publishers : /\ told[p] = 1 => IsDone(p)
                        /\ told[p] = 0 => ~IsDone(p)

BookmarkIsResumedOnce == Cardinality(Delivered) <= 1

TimerFiresOnce == Cardinality({i \in DOMAIN journal : journal[i].of = Timer}) <= 1

WhatFiredHasNoRow == \A i \in DOMAIN journal : journal[i].of \notin rows
=============================================================================
