vcl 4.1;

# Varnish 7 as a cache in front of upload-service. See docs/guides/caches.md. Replace the address of upload-service, and the
# networks of its replicas in `purgers`. TRUSTED_PROXIES must contain Varnish's address. The tests use this file.

import std;

backend upload_service {
  .host = "127.0.0.1";
  .port = "3001";
  # Requests for a size that is being made wait for it (FILE_HOLD_SECONDS).
  .first_byte_timeout = 90s;
}

# Who may purge: upload-service.
acl purgers {
  "127.0.0.1";
  "::1";
}

sub vcl_recv {
  # A purge names slugs, which are the values of Surrogate-Key.
  if (req.method == "PURGE") {
    if (client.ip !~ purgers) {
      return (synth(403));
    }
    if (req.http.Vitrine-Slugs !~ "^[A-Za-z0-9]{7}(\|[A-Za-z0-9]{7})*$") {
      return (synth(400));
    }
    if (!std.ban("obj.http.Surrogate-Key ~ ^(" + req.http.Vitrine-Slugs + ")$")) {
      return (synth(500));
    }
    set req.http.Vitrine-Purged = "yes";
    return (synth(200));
  }
  unset req.http.Vitrine-Purged;
  unset req.http.Vitrine-Download;
  unset req.http.Vitrine-Slugs;

  # Uploads and everything else that is no file pass through.
  if (req.url !~ "^/f/[A-Za-z0-9]{7}(_[a-z]+)?\.[a-z0-9]{1,8}(\?|$)") {
    return (pass);
  }
  if (req.method != "GET" && req.method != "HEAD") {
    return (pass);
  }

  # One entry for each file: a query changes nothing but the name under which a browser saves it.
  if (req.url ~ "[?&]download(=|&|$)") {
    set req.http.Vitrine-Download = regsub(req.url, "^/f/([^?]*)\?.*$", "\1");
  }
  set req.url = regsub(req.url, "\?.*$", "");
  unset req.http.Cookie;
  unset req.http.Authorization;

  # Four classes of clients, so that sizes in other formats (Vary: Accept) have at most four entries. A format counts if a
  # client names it without conditions, as browsers do. Originals, downloads and pages are never negotiated.
  if (req.http.Vitrine-Download || req.url !~ "_" || req.http.Accept ~ "(?i)text/html") {
    set req.http.Accept = "*/*";
  } elsif (req.http.Accept ~ "(?i)(^|,)\s*image/avif\s*(,|$)") {
    if (req.http.Accept ~ "(?i)(^|,)\s*image/webp\s*(,|$)") {
      set req.http.Accept = "image/avif,image/webp,*/*";
    } else {
      set req.http.Accept = "image/avif,*/*";
    }
  } elsif (req.http.Accept ~ "(?i)(^|,)\s*image/webp\s*(,|$)") {
    set req.http.Accept = "image/webp,*/*";
  } else {
    set req.http.Accept = "*/*";
  }
  return (hash);
}

# Not the host: a stranger could make up any number of them.
sub vcl_hash {
  hash_data(req.url);
  return (lookup);
}

sub vcl_backend_response {
  # A file that may have been withdrawn is never served without asking.
  set beresp.grace = 0s;
  # The id of one request does not belong to the others.
  if (beresp.ttl > 0s) {
    unset beresp.http.X-Request-Id;
  }
}

sub vcl_deliver {
  if (req.http.Vitrine-Download && (resp.status == 200 || resp.status == 206)) {
    set resp.http.Content-Disposition = {"attachment; filename=""} + req.http.Vitrine-Download + {"""};
  }
}

sub vcl_synth {
  if (req.http.Vitrine-Purged) {
    set resp.http.Vitrine-Purged = "yes";
  }
}
