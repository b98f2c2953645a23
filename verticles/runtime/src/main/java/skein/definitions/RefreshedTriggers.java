package skein.definitions;

import java.util.List;
import java.util.Map;

/**
 * The results for definitions whose triggers were evaluated again.
 *
 * @param refreshed ids of those that have what their triggers say now
 * @param notFound ids that no published definition has
 * @param failed why a definition keeps the triggers it had, by its id
 */
public record RefreshedTriggers(
    List<String> refreshed, List<String> notFound, Map<String, List<String>> failed) {}
