package skein.burst;

/** Whatever {@link Context} needs to do what an activity asks for; one for each burst. */
record ActivityServices(
    RunState state,
    Evaluation evaluation,
    Lifecycle lifecycle,
    Completion completion,
    OutsideWork outsideWork,
    Waits waits) {}
