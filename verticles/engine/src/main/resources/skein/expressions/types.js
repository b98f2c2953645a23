// The .NET types that Elsa gives to scripts, made of values that every script has: a TimeSpan and a Guid are texts
// with members, a DateTime and a DateTimeOffset are dates, as Elsa's scripts see them too. What leaves the script is
// the text or the date. Nothing here is called before a script runs.
(function () {
  var DAY = 86400000, HOUR = 3600000, MINUTE = 60000, SECOND = 1000, TICKS = 10000;
  var CLOCK = /^(-)?(?:(\d+)\.)?(\d+):(\d+)(?::(\d+(?:\.\d+)?))?$/;
  var ISO = /^(-)?P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

  function digits(number, count) {
    return String(number).padStart(count, '0');
  }

  // Milliseconds of a TimeSpan, or of a text that says one.
  function millis(span) {
    if (span === TimeSpan.prototype) {
      throw new TypeError('not a TimeSpan');
    }
    var text = String(span).trim();
    var parts = CLOCK.exec(text) || ISO.exec(text);
    if (parts === null || text === 'P') {
      throw new TypeError('not a TimeSpan: ' + text);
    }
    var sum = Number(parts[2] || 0) * DAY + Number(parts[3] || 0) * HOUR
        + Number(parts[4] || 0) * MINUTE + Number(parts[5] || 0) * SECOND;
    return parts[1] ? -sum : sum;
  }

  function text(ms) {
    if (!isFinite(ms)) {
      throw new RangeError('a TimeSpan needs a number');
    }
    var ticks = Math.round(Math.abs(ms) * TICKS), fraction = ticks % (SECOND * TICKS);
    var seconds = Math.floor(ticks / (SECOND * TICKS)), days = Math.floor(seconds / 86400);
    return (ms < 0 && ticks > 0 ? '-' : '') + (days > 0 ? days + '.' : '')
        + digits(Math.floor(seconds / 3600) % 24, 2) + ':' + digits(Math.floor(seconds / 60) % 60, 2) + ':'
        + digits(seconds % 60, 2) + (fraction > 0 ? '.' + digits(fraction, 7) : '');
  }

  function span(ms) {
    return Object.setPrototypeOf(new String(text(ms)), TimeSpan.prototype);
  }

  function whole(ms, unit, of) {
    var value = Math.trunc(ms / unit) % of;
    return value === 0 ? 0 : value;
  }

  function TimeSpan(a, b, c, d, e) {
    switch (arguments.length) {
      case 0: return span(0);
      case 1: return span(a / TICKS);
      case 2: throw new TypeError('a TimeSpan has ticks, or hours, minutes and seconds');
      case 3: return span(a * HOUR + b * MINUTE + c * SECOND);
      default: return span(a * DAY + b * HOUR + c * MINUTE + d * SECOND + (e || 0));
    }
  }

  TimeSpan.prototype = {
    get Days() { return Math.trunc(millis(this) / DAY) || 0; },
    get Hours() { return whole(millis(this), HOUR, 24); },
    get Minutes() { return whole(millis(this), MINUTE, 60); },
    get Seconds() { return whole(millis(this), SECOND, 60); },
    get Milliseconds() { return whole(millis(this), 1, 1000); },
    get Ticks() { return Math.round(millis(this) * TICKS); },
    get TotalDays() { return millis(this) / DAY; },
    get TotalHours() { return millis(this) / HOUR; },
    get TotalMinutes() { return millis(this) / MINUTE; },
    get TotalSeconds() { return millis(this) / SECOND; },
    get TotalMilliseconds() { return millis(this); },
    Add: function (other) { return span(millis(this) + millis(other)); },
    Subtract: function (other) { return span(millis(this) - millis(other)); },
    Multiply: function (factor) { return span(millis(this) * factor); },
    Divide: function (by) { return typeof by === 'number' ? span(millis(this) / by) : millis(this) / millis(by); },
    Negate: function () { return span(-millis(this)); },
    Duration: function () { return span(Math.abs(millis(this))); },
    CompareTo: function (other) { return Math.sign(millis(this) - millis(other)); },
    Equals: function (other) { return millis(this) === millis(other); },
    ToString: function () { return this.valueOf(); }
  };

  var spans = {
    FromDays: function (number) { return span(number * DAY); },
    FromHours: function (number) { return span(number * HOUR); },
    FromMinutes: function (number) { return span(number * MINUTE); },
    FromSeconds: function (number) { return span(number * SECOND); },
    FromMilliseconds: function (number) { return span(Number(number)); },
    FromTicks: function (number) { return span(number / TICKS); },
    Parse: function (value) { return span(millis(value)); },
    Compare: function (one, other) { return Math.sign(millis(one) - millis(other)); },
    get Zero() { return span(0); },
    TicksPerDay: 864000000000,
    TicksPerHour: 36000000000,
    TicksPerMinute: 600000000,
    TicksPerSecond: 10000000,
    TicksPerMillisecond: 10000
  };

  function date(value) {
    var made = new Date(value);
    if (isNaN(made.getTime())) {
      throw new TypeError('not a date: ' + value);
    }
    return made;
  }

  function utc(year, month, day, hour, minute, second, ms) {
    var made = new Date(0);
    made.setUTCFullYear(year, month - 1, day);
    made.setUTCHours(hour || 0, minute || 0, second || 0, ms || 0);
    return date(made.getTime());
  }

  function DateTime(year, month, day, hour, minute, second, ms) {
    switch (arguments.length) {
      case 0: return utc(1, 1, 1);
      case 1: return date(year / TICKS - 62135596800000);
      case 2: throw new TypeError('a DateTime has ticks, or year, month and day');
      default: return utc(year, month, day, hour, minute, second, ms);
    }
  }

  function DateTimeOffset(year, month, day, hour, minute, second, last) {
    if (arguments.length === 0) {
      return utc(1, 1, 1);
    }
    if (arguments.length <= 2) {
      return date(date(year).getTime() - (month === undefined ? 0 : millis(month)));
    }
    return date(utc(year, month, day, hour, minute, second).getTime() - (last === undefined ? 0 : millis(last)));
  }

  function today() {
    var now = new Date();
    now.setUTCHours(0, 0, 0, 0);
    return now;
  }

  function days(year, month) {
    var last = new Date(0);
    last.setUTCFullYear(year, month, 0);
    return last.getUTCDate();
  }

  var dates = {
    get Now() { return new Date(); },
    get UtcNow() { return new Date(); },
    get Today() { return today(); },
    get UnixEpoch() { return new Date(0); },
    get MinValue() { return utc(1, 1, 1); },
    get MaxValue() { return utc(9999, 12, 31, 23, 59, 59, 999); },
    Parse: function (value) { return date(value); },
    Compare: function (one, other) { return Math.sign(date(one) - date(other)); },
    DaysInMonth: function (year, month) { return days(year, month); },
    IsLeapYear: function (year) { return days(year, 2) === 29; }
  };

  var offsets = {
    get Now() { return new Date(); },
    get UtcNow() { return new Date(); },
    get UnixEpoch() { return new Date(0); },
    get MinValue() { return utc(1, 1, 1); },
    get MaxValue() { return utc(9999, 12, 31, 23, 59, 59, 999); },
    Parse: function (value) { return date(value); },
    Compare: function (one, other) { return Math.sign(date(one) - date(other)); },
    FromUnixTimeSeconds: function (seconds) { return date(seconds * SECOND); },
    FromUnixTimeMilliseconds: function (ms) { return date(Number(ms)); }
  };

  function guid(value) {
    return Object.setPrototypeOf(new String(parseGuid(value)), Guid.prototype);
  }

  function Guid(value) {
    return guid(arguments.length === 0 ? EMPTY : value);
  }

  var EMPTY = '00000000-0000-0000-0000-000000000000';

  Guid.prototype = {
    ToString: function (format) {
      var value = this.valueOf();
      switch (String(format || 'D').toUpperCase()) {
        case 'N': return value.split('-').join('');
        case 'B': return '{' + value + '}';
        case 'P': return '(' + value + ')';
        case 'D': return value;
        default: throw new TypeError('a Guid has the formats N, D, B and P');
      }
    },
    Equals: function (other) { return this.valueOf() === String(other).toLowerCase(); },
    CompareTo: function (other) {
      var one = this.valueOf(), two = String(other).toLowerCase();
      return one < two ? -1 : one > two ? 1 : 0;
    }
  };

  var guids = {
    NewGuid: function () { return guid(newGuid()); },
    Parse: function (value) { return guid(value); },
    get Empty() { return guid(EMPTY); }
  };

  function Random() {}

  function next(min, max) {
    return min + Math.floor(Math.random() * (max - min));
  }

  Random.prototype = {
    Next: function (a, b) {
      return arguments.length === 0 ? next(0, 2147483647) : arguments.length === 1 ? next(0, a) : next(a, b);
    },
    NextInt64: function (a, b) {
      return arguments.length === 0 ? next(0, Number.MAX_SAFE_INTEGER) : arguments.length === 1 ? next(0, a) : next(a, b);
    },
    NextDouble: function () { return Math.random(); }
  };

  var randoms = { get Shared() { return new Random(); } };

  // A file, as WriteFileHttpResponse and SendHttpRequest take it; the content is bytes or a text.
  function Downloadable(content, filename, contentType) {
    var bytes = typeof content === 'string' ? bytesFromString(content) : content;
    return {
      filename: filename || null,
      contentType: contentType || null,
      size: bytes.length,
      content: bytesToBase64(bytes)
    };
  }

  function HttpHeaders() {}

  function LogPersistenceMode() {}

  return {
    TimeSpan: { type: TimeSpan, members: spans, is: 'String' },
    DateTime: { type: DateTime, members: dates },
    DateTimeOffset: { type: DateTimeOffset, members: offsets },
    Guid: { type: Guid, members: guids, is: 'String' },
    Random: { type: Random, members: randoms },
    Downloadable: { type: Downloadable, members: {} },
    HttpHeaders: { type: HttpHeaders, members: {} },
    LogPersistenceMode: {
      type: LogPersistenceMode,
      members: { Inherit: 'Inherit', Include: 'Include', Exclude: 'Exclude' }
    }
  };
})()
