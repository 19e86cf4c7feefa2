#!/bin/sh
# Writes Alertmanager's configuration for one operator, with a webhook, mails or both, and starts it.
set -eu
if [ -z "${ALERT_WEBHOOK_URL:-}${ALERT_EMAIL:-}" ]; then
  echo 'With the profile alerts, set ALERT_EMAIL (and SMTP_URL), or ALERT_WEBHOOK_URL, in docker/.env.' >&2
  exit 1
fi

quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/''/g")"; }
decoded() { printf '%b' "$(printf '%s' "$1" | sed 's/\\/\\\\/g; s/%/\\x/g')"; }

umask 077
{
  printf 'route: { receiver: operator, group_by: [alertname], group_wait: 10s, repeat_interval: 12h }\nreceivers:\n  - name: operator\n'
  if [ -n "${ALERT_WEBHOOK_URL:-}" ]; then
    printf '    webhook_configs:\n      - url: %s\n' "$(quoted "$ALERT_WEBHOOK_URL")"
  fi
  if [ -n "${ALERT_EMAIL:-}" ]; then
    : "${SMTP_URL:?ALERT_EMAIL needs SMTP_URL in docker/.env}"
    server=${SMTP_URL#*://}
    server=${server%%[/?]*}
    printf '    email_configs:\n      - to: %s\n        from: %s\n        smarthost: %s\n        send_resolved: true\n' \
      "$(quoted "$ALERT_EMAIL")" "$(quoted "${MAIL_FROM:-$ALERT_EMAIL}")" "$(quoted "${server##*@}")"
    case $server in
      *@*)
        login=${server%@*}
        printf '        auth_username: %s\n        auth_password: %s\n' \
          "$(quoted "$(decoded "${login%%:*}")")" "$(quoted "$(decoded "${login#*:}")")"
        ;;
      *) printf '        require_tls: false\n' ;;
    esac
  fi
} >"${CONFIGURATION:=/tmp/alertmanager.yml}"
exec alertmanager "$@" --config.file="$CONFIGURATION" --storage.path="${STORAGE:-/alertmanager}" --cluster.listen-address=
