package skein.schedules;

/** A cron expression that is none; the message names the field. */
public final class CronException extends IllegalArgumentException {
  CronException(String message) {
    super(message);
  }
}
