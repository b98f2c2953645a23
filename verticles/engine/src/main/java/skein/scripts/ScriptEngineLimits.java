package skein.scripts;

/**
 * The limits of one evaluation on its engine.
 *
 * @param memoryBytesMax of all that it makes at one time, with the engine itself and the scripts
 *     that it keeps
 * @param stackBytesMax of calls within one another
 * @param stringCharsMax of one string
 * @param sourceBytesMax of a text that a script makes a script of
 */
public record ScriptEngineLimits(
    int memoryBytesMax, int stackBytesMax, int stringCharsMax, int sourceBytesMax) {}
