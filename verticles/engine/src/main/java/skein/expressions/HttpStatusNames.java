package skein.expressions;

import static java.util.Map.entry;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names that .NET gives to HTTP status codes. */
final class HttpStatusNames {
  private static final Map<String, Long> CODES =
      Map.ofEntries(
          entry("continue", 100L),
          entry("switchingprotocols", 101L),
          entry("processing", 102L),
          entry("earlyhints", 103L),
          entry("ok", 200L),
          entry("created", 201L),
          entry("accepted", 202L),
          entry("nonauthoritativeinformation", 203L),
          entry("nocontent", 204L),
          entry("resetcontent", 205L),
          entry("partialcontent", 206L),
          entry("multistatus", 207L),
          entry("alreadyreported", 208L),
          entry("imused", 226L),
          entry("multiplechoices", 300L),
          entry("ambiguous", 300L),
          entry("movedpermanently", 301L),
          entry("moved", 301L),
          entry("found", 302L),
          entry("redirect", 302L),
          entry("seeother", 303L),
          entry("redirectmethod", 303L),
          entry("notmodified", 304L),
          entry("useproxy", 305L),
          entry("unused", 306L),
          entry("temporaryredirect", 307L),
          entry("redirectkeepverb", 307L),
          entry("permanentredirect", 308L),
          entry("badrequest", 400L),
          entry("unauthorized", 401L),
          entry("paymentrequired", 402L),
          entry("forbidden", 403L),
          entry("notfound", 404L),
          entry("methodnotallowed", 405L),
          entry("notacceptable", 406L),
          entry("proxyauthenticationrequired", 407L),
          entry("requesttimeout", 408L),
          entry("conflict", 409L),
          entry("gone", 410L),
          entry("lengthrequired", 411L),
          entry("preconditionfailed", 412L),
          entry("requestentitytoolarge", 413L),
          entry("requesturitoolong", 414L),
          entry("unsupportedmediatype", 415L),
          entry("requestedrangenotsatisfiable", 416L),
          entry("expectationfailed", 417L),
          entry("misdirectedrequest", 421L),
          entry("unprocessableentity", 422L),
          entry("unprocessablecontent", 422L),
          entry("locked", 423L),
          entry("faileddependency", 424L),
          entry("upgraderequired", 426L),
          entry("preconditionrequired", 428L),
          entry("toomanyrequests", 429L),
          entry("requestheaderfieldstoolarge", 431L),
          entry("unavailableforlegalreasons", 451L),
          entry("internalservererror", 500L),
          entry("notimplemented", 501L),
          entry("badgateway", 502L),
          entry("serviceunavailable", 503L),
          entry("gatewaytimeout", 504L),
          entry("httpversionnotsupported", 505L),
          entry("variantalsonegotiates", 506L),
          entry("insufficientstorage", 507L),
          entry("loopdetected", 508L),
          entry("notextended", 510L),
          entry("networkauthenticationrequired", 511L));

  private HttpStatusNames() {}

  /** Letter case does not matter; null where there is no such name. */
  static @Nullable Long code(String name) {
    return CODES.get(name.toLowerCase(Locale.ROOT));
  }
}
