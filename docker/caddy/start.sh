#!/bin/sh
# Writes Caddy's configuration from the public addresses, and starts it. Certificates come from an ACME authority, or are
# those of /certificates.
set -eu

host() {
  case $1 in
    https://*) ;;
    *) echo "With the profile tls, $1 must begin with https:// (docker/.env)." >&2; exit 1 ;;
  esac
  rest=${1#https://}
  printf '%s' "${rest%%[:/]*}"
}

# site UPSTREAM HOST: Caddy passes bodies on as they arrive, and names the client in X-Forwarded-For.
site() {
  printf '%s {\n' "$2"
  if [ -e "${CERTIFICATES:=/certificates}/tls.crt" ]; then
    printf '\ttls %s/tls.crt %s/tls.key\n' "$CERTIFICATES" "$CERTIFICATES"
  fi
  printf '\treverse_proxy %s\n}\n' "$1"
}

api=$(host "$PUBLIC_API_URL") upload=$(host "$PUBLIC_UPLOAD_URL") files=$(host "$PUBLIC_CDN_URL") pages=$(host "$PUBLIC_SITE_URL")
{
  printf '{\n\tadmin off\n'
  [ -z "${ACME_EMAIL:-}" ] || printf '\temail %s\n' "$ACME_EMAIL"
  printf '}\n'
  site "${API_UPSTREAM:-api-gateway:3000}" "$api"
  site "${FILES_UPSTREAM:-nginx:8080}" "$upload"
  [ "$files" = "$upload" ] || site "${FILES_UPSTREAM:-nginx:8080}" "$files"
  site "${SITE_UPSTREAM:-website:3002}" "$pages"
} >"${CADDYFILE:=/tmp/Caddyfile}"
exec caddy run --adapter caddyfile --config "$CADDYFILE"
