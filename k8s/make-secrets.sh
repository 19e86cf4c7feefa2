#!/bin/sh
# make-secrets.sh [FOLDER]           fills the namespace vitrine-vault, for clusters without a vault (examples/secret-store.yaml)
# make-secrets.sh --print [FOLDER]   prints lines `name {"property":"value"}` instead, to put them into a vault
#
# FOLDER is the overlay (k8s/overlays/production), whose ExternalSecrets name the values. Each generated value has 192 random
# bits. A value that exists is kept, because data depend on it. Values that only you know are listed.
set -eu
print=
[ "${1:-}" != --print ] || { print=yes && shift; }
folder=${1:-$(dirname "$0")/overlays/production}

secret() { head -c 24 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# Lines `name property`, from the references in the ExternalSecrets.
rendered=$(kubectl kustomize "$folder")
wanted=$(printf '%s\n' "$rendered" | awk '/remoteRef:$/ { getline; key = $2; getline; print key, $2 }' | sort -u)

for name in $(echo "$wanted" | cut -d' ' -f1 | uniq); do
  properties=$(echo "$wanted" | awk -v name="$name" '$1 == name { print $2 }' | xargs)
  if [ -z "$print" ] && kubectl -n vitrine-vault get secret "$name" >/dev/null 2>&1; then
    echo "$name: kept" >&2
    continue
  fi
  case $properties in
    password | service_key | secrets_key) ;;
    *)
      echo "$name: set it yourself, with $properties" >&2
      continue
      ;;
  esac
  if [ -n "$print" ]; then
    printf '%s {"%s":"%s"}\n' "$name" "$properties" "$(secret)"
  else
    # A pipe, so that no list of processes shows the value. "create" never overwrites.
    secret | kubectl -n vitrine-vault create secret generic "$name" --from-file="$properties=/dev/stdin"
  fi
done
