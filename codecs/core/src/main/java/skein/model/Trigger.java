package skein.model;

import org.jspecify.annotations.Nullable;

/**
 * A rule by which a stimulus starts a new instance of a definition; written when the definition is
 * published.
 *
 * @param id deterministic: {@code {definitionId}:{activityId}:{hash}}, hashed
 * @param name the stimulus name, e.g. {@code Elsa.HttpEndpoint}
 * @param payload a JSON value, e.g. {@code {path, method}}
 * @param timetable when it fires by itself; null for triggers that wait for a stimulus
 */
public record Trigger(
    String id,
    DefinitionRef definition,
    String activityId,
    String name,
    String hash,
    @Nullable Object payload,
    @Nullable Timetable timetable) {}
