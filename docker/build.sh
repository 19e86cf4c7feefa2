#!/bin/sh
# build.sh: builds the images of the version that is checked out, with Buildah, or with Docker's buildx if there is no Buildah.
#
#   --registry NAME     what comes before the image's name (vitrine)
#   --platforms LIST    linux/amd64,linux/arm64 builds both; the other architecture needs qemu-user-static (this machine's)
#   --previous IMAGE    the website's image of the previous release, whose scripts open pages still load
#   --push              pushes the images and writes their digests into the component k8s/overlays/production/digests
#   --sign KEY          a key of cosign: signs what was pushed, and attests its bill of materials
#   --list              builds nothing and prints every image that Compose and Kubernetes use, to mirror them
#   NAME …              only these images
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)
registry=vitrine platforms='' previous='' push='' key='' list='' names=''

while [ $# -gt 0 ]; do
  case $1 in
    --registry) registry=$2; shift ;;
    --platforms) platforms=$2; shift ;;
    --previous) previous=$2; shift ;;
    --sign) key=$2; shift ;;
    --push) push=yes ;;
    --list) list=yes ;;
    -*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
    *) names="$names $1" ;;
  esac
  shift
done
names=${names:-api-gateway upload-service media-processor moderation-service website admin}

if [ "$list" ]; then
  for name in $names; do echo "$registry/$name:$version"; done
  grep -rhoE '^ *(- )?image(Name)?: [^ $]+$' docker/compose.yaml k8s |
    sed 's/.*: //' | grep -v '^vitrine/' | sort -u
  exit
fi
if [ "$key" ] && [ ! "$push" ]; then
  echo 'Only what is pushed can be signed: add --push.' >&2
  exit 2
fi
if command -v buildah >/dev/null; then builder=buildah; else builder=docker; fi
revision=$(git rev-parse HEAD)
[ -z "$(git status --porcelain)" ] || revision=$revision-changed
digests=$(mktemp -d)
trap 'rm -rf "$digests"' EXIT

# build NAME IMAGE: builds an image, and with --push writes its digest to a file.
build() {
  set -- "$@" --file docker/Dockerfile --target "$1" --build-arg "VERSION=$version" --build-arg "REVISION=$revision"
  name=$1 image=$2
  shift 2
  [ -z "$platforms" ] || set -- "$@" --platform "$platforms"
  [ -z "$previous" ] || set -- "$@" --build-arg "PREVIOUS_WEBSITE=$previous"
  if [ $builder = docker ]; then
    if [ "$push" ]; then
      docker buildx build "$@" --tag "$image" --push --sbom=true --provenance=mode=max --iidfile "$digests/$name" .
    else
      docker buildx build "$@" --tag "$image" --load .
    fi
    return
  fi
  # Buildah before 1.31 doesn't find the file of what to ignore by itself. A manifest holds one image for each platform.
  buildah manifest rm "$image" >/dev/null 2>&1 || buildah rmi "$image" >/dev/null 2>&1 || true
  buildah build --layers --ignorefile docker/Dockerfile.dockerignore "$@" --manifest "$image" .
  [ -z "$push" ] || buildah manifest push --all --digestfile "$digests/$name" "$image" "docker://$image"
}

for name in $names; do
  image=$registry/$name:$version
  echo "Building $image"
  build "$name" "$image"
  if [ "$key" ]; then
    digest=$registry/$name@$(cat "$digests/$name")
    cosign sign --yes --key "$key" --recursive "$digest"
    npm run --silent sbom -- "$name" >/dev/null
    cosign attest --yes --key "$key" --type cyclonedx --predicate "artefacts/sbom/$name.json" "$digest"
  fi
done

# Only after all of them are pushed, so that a failure leaves the digests of the build before.
[ "$push" ] || exit 0
mkdir -p k8s/overlays/production/digests
{
  echo '# Written by docker/build.sh --push. As the last component of the overlay, it pins what was pushed.'
  printf 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nimages:\n'
  for name in $names; do printf '  - { name: %s, digest: %s }\n' "$registry/$name" "$(cat "$digests/$name")"; done
} >k8s/overlays/production/digests/kustomization.yaml
