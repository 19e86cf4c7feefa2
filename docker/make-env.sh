#!/bin/sh
# make-env.sh [--domain DOMAIN] [FILE]: writes the settings that docker/compose.yaml needs, each secret of 192 random bits,
# into FILE (docker/.env, which Compose reads by itself). With a domain, the site is public, with TLS and backups. It never
# overwrites a file, because the data need the secrets in it.
set -eu
domain='' off='#'
if [ "${1:-}" = --domain ]; then
  domain=${2:?} off=''
  shift 2
fi
file=${1:-$(dirname "$0")/.env}
if [ -e "$file" ]; then
  echo "$file is there already; its secrets open the data that is there." >&2
  exit 1
fi

secret() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

umask 077
cat >"$file" <<SETTINGS
# Secrets of this installation. Keep a copy with the backups, and give it to nobody else.
POSTGRES_PASSWORD=$(secret)
POSTGRES_OWNER_PASSWORD=$(secret)
POSTGRES_APPLICATION_PASSWORD=$(secret)
RABBITMQ_PASSWORD=$(secret)
RABBITMQ_UPLOAD_PASSWORD=$(secret)
RABBITMQ_PROCESSOR_PASSWORD=$(secret)
RABBITMQ_MODERATION_PASSWORD=$(secret)
REDIS_PASSWORD=$(secret)
S3_ACCESS_KEY_ID=vitrine
S3_SECRET_ACCESS_KEY=$(secret)
S3_UPLOAD_SECRET_ACCESS_KEY=$(secret)
S3_PROCESSOR_SECRET_ACCESS_KEY=$(secret)
S3_MODERATION_SECRET_ACCESS_KEY=$(secret)
SITE_SERVICE_KEY=$(secret)
ACCOUNT_SECRETS_KEY=$(secret)
GRAFANA_PASSWORD=$(secret)

# A public site: the addresses that visitors use, HTTPS for them, and backups; see docs/guides/compose.md.
${off}COMPOSE_PROFILES=tls,backup
${off}PUBLIC_API_URL=https://api.${domain:=example.org}/api/v1
${off}PUBLIC_UPLOAD_URL=https://upload.$domain/api/v1/media
${off}PUBLIC_CDN_URL=https://files.$domain
${off}PUBLIC_SITE_URL=https://www.$domain
# Docker's networks, in which the proxy is.
${off}TRUSTED_PROXIES=172.16.0.0/12,192.168.0.0/16

# The mail server; see docs/guides/accounts.md.
#SMTP_URL=smtp://vitrine:password@smtp.example.org:587
#MAIL_FROM=Vitrine <no-reply@example.org>
SETTINGS
echo "Wrote $file."
