#!/bin/sh
# make-env.sh [FILE]: writes the settings that docker/compose.yaml needs, each secret of 192 random bits, into FILE
# (docker/.env, which Compose reads by itself). It never overwrites a file, because the data need the secrets in it.
set -eu
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

# The addresses that visitors use, once there is a proxy with certificates in front; see docs/guides/compose.md.
#PUBLIC_API_URL=https://api.example.org/api/v1
#PUBLIC_UPLOAD_URL=https://upload.example.org/api/v1/media
#PUBLIC_CDN_URL=https://cdn.example.org
#PUBLIC_SITE_URL=https://www.example.org
#TRUSTED_PROXIES=172.16.0.0/12
#PUBLIC_BIND=127.0.0.1

# The mail server; see docs/guides/accounts.md.
#SMTP_URL=smtp://vitrine:password@smtp.example.org:587
#MAIL_FROM=Vitrine <no-reply@example.org>
SETTINGS
echo "Wrote $file."
