#!/bin/sh
# roll-out.sh FOLDER              installs or upgrades: engines and migrations, then consumers, then producers
# roll-out.sh --rollback FOLDER   goes back to the release before: producers, then consumers; schema and engines stay
#
# FOLDER is an overlay whose settings.yaml names the release. docs/guides/upgrade.md says why the order matters. Repeating a
# run does no harm. NAMESPACE (vitrine) and TIMEOUT of each wait (40m: a video takes 25 minutes) can be set.
set -eu
rollback=
[ "${1:-}" != --rollback ] || { rollback=yes && shift; }
[ $# -eq 1 ] || { sed -n '2,3s/^# /usage: /p' "$0" >&2 && exit 2; }
namespace=${NAMESPACE:-vitrine} timeout=${TIMEOUT:-40m}

component=app.kubernetes.io/component
hosts="$component in (host, proxy)"
workers="$component=worker"
jobs="$component=migration"
# What visitors reach, and what reaches them, changes last. What has no such label comes first.
settings="$component notin (host, proxy, worker, edge, migration, database, bus)"
groundwork="$component notin (host, proxy, worker, edge)"
# Some overlays have no object with the label edge, and kubectl fails if a selector selects nothing.
processes="$component notin (migration, database, bus)"

rendered=$(mktemp)
trap 'rm -f "$rendered"' EXIT
kubectl kustomize "$1" >"$rendered"

# Earlier field managers, such as "kubectl rollout undo", lose what they changed.
apply() { kubectl apply --server-side --force-conflicts --filename "$rendered" --selector "$1"; }
running() { kubectl -n "$namespace" rollout status deployment --selector "$1" --timeout "$timeout"; }
ready() { kubectl -n "$namespace" wait --for "condition=$1" --timeout "$timeout" "$2" --selector "$component"; }

if [ -n "$rollback" ]; then
  apply "$settings"
  apply "$hosts"
  running "$hosts"
  apply "$workers"
  running "$workers"
  apply "$processes"
  exit
fi

# A Job that failed, or was made with other settings, can't be changed.
kubectl -n "$namespace" delete job --selector "$jobs" --ignore-not-found
apply "$groundwork"
ready Ready clusters.postgresql.cnpg.io
ready AllReplicasReady rabbitmqclusters.rabbitmq.com
kubectl -n "$namespace" wait --for condition=complete --timeout "$timeout" job --selector "$jobs"
apply "$workers"
running "$workers"
apply "$hosts"
running "$hosts"
apply "$processes"
