import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, names, tracked } from './repository';
import { type Changes, changesSince, withRelease } from './notes';

/** A release can't be made; the message says why. */
export class ReleaseError extends Error {}

/** A release that has been checked, and what it would write. */
export interface Release {
  readonly version: string;
  readonly tag: string;
  /** The tag of the previous release; undefined for the first. */
  readonly previous: string | undefined;
  readonly changes: Changes;
  /** New text of each file that changes, by its path in the repository. */
  readonly files: ReadonlyMap<string, string>;
}

const CHANGELOG = 'CHANGELOG.md';

/** Where a version stands beside its name in Dockerfiles, Compose, manifests and guides. */
const NAMED = String.raw`(vitrine\/[a-z-]+:|newTag: |VERSION(?:=|:-|: )|version: ["']?)`;

/**
 * Checks that `version` can be released from the commit that is checked out in `root`, and computes every file that the
 * release changes. Writes nothing.
 */
export function planRelease(root: string, version: string, today: string): Release {
  const current = manifest(root).version;
  const tag = `v${version}`;
  if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(version))
    throw new ReleaseError(`${version} is not a version such as 1.2.3.`);
  if (git(root, 'status', '--porcelain') !== '')
    throw new ReleaseError('The tree has changes that are not committed.');
  if (git(root, 'tag', '--list', tag) !== '') throw new ReleaseError(`The tag ${tag} exists.`);
  const kind = kindOf(current, version);

  const previous = names(git(root, 'tag', '--list', 'v*', '--merged', 'HEAD', '--sort=-version:refname'))[0];
  const changes = changesSince(root, previous);
  requireKind(kind, changes);

  const files = new Map(
    tracked(root).flatMap((file) => {
      const text = withVersion(file, readFileSync(join(root, file), 'utf8'), current, version);
      return text === undefined ? [] : [[file, text] as const];
    }),
  );
  const changelog = withRelease(readFileSync(join(root, CHANGELOG), 'utf8'), version, today, changes);
  if (changelog === undefined) throw new ReleaseError(`${CHANGELOG} has nothing below "Unreleased".`);
  return { version, tag, previous, changes, files: files.set(CHANGELOG, changelog) };
}

/** Writes a planned release, commits it, and tags the commit. */
export function carryOut(root: string, { version, tag, files }: Release): void {
  for (const [file, text] of files) writeFileSync(join(root, file), text);
  git(root, 'commit', '--quiet', '--message', `Release ${version}`, '--', ...files.keys());
  git(root, 'tag', '--annotate', '--message', `Vitrine ${version}`, tag);
}

/** Paths of the files that name a version of Vitrine other than the manifest's, each with the line. */
export function findOtherVersions(root: string): string[] {
  const { version } = manifest(root);
  const named = new RegExp(String.raw`${NAMED}(\d+\.\d+\.\d+)(?![\w.])`, 'm');
  return tracked(root)
    .filter((file) => isText(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .filter(
          (line) =>
            /[Vv]itrine|VITRINE|\bVERSION: /.test(line) && (named.exec(line)?.[2] ?? version) !== version,
        )
        .map((line) => `${file}: ${line.trim()}`),
    );
}

const manifest = (root: string): { version: string } =>
  JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };

const isText = (file: string): boolean => /^(docker|k8s|docs\/guides)\//.test(file) && !file.endsWith('.png');

/** The text of a file with the new version, or undefined if the file doesn't name the old one. */
function withVersion(file: string, text: string, from: string, to: string): string | undefined {
  let changed = text;
  if (/(^|\/)package(-lock)?\.json$/.test(file)) changed = inManifest(text, to);
  else if (isText(file))
    changed = text.replace(
      new RegExp(String.raw`${NAMED}${from.replaceAll('.', String.raw`\.`)}(?![\w.])`, 'gm'),
      `$1${to}`,
    );
  return changed === text ? undefined : changed;
}

interface Manifest {
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  packages?: Record<string, Manifest>;
}

/** A manifest or a lockfile in which our packages, and what they need of each other, have the version `to`. */
function inManifest(text: string, to: string): string {
  const whole = JSON.parse(text) as Manifest;
  const ours = Object.entries(whole.packages ?? {}).filter(([path]) => !/(^|\/)node_modules\//.test(path));
  for (const each of [whole, ...ours.map(([, entry]) => entry)]) {
    if (each.version !== undefined) each.version = to;
    for (const needed of [each.dependencies, each.devDependencies, each.peerDependencies])
      for (const name of Object.keys(needed ?? {})) if (name.startsWith('@vitrine/')) needed![name] = to;
  }
  return `${JSON.stringify(whole, null, 2)}\n`;
}

type Kind = 'major' | 'minor' | 'patch';

/** The kind of release that leads from one version to the next; jumps are refused. */
function kindOf(from: string, to: string): Kind {
  const [major, minor, patch] = from.split('.').map(Number) as [number, number, number];
  const next = {
    major: `${major + 1}.0.0`,
    minor: `${major}.${minor + 1}.0`,
    patch: `${major}.${minor}.${patch + 1}`,
  };
  const kind = (Object.keys(next) as Kind[]).find((each) => next[each] === to);
  if (!kind)
    throw new ReleaseError(`After ${from} follows ${next.patch}, ${next.minor} or ${next.major}, not ${to}.`);
  return kind;
}

/** SemVer as CONTRIBUTING.md states it: what a release changes decides how high its number must rise. */
function requireKind(kind: Kind, { migrations, added, removed }: Changes): void {
  if (kind !== 'major' && removed.length > 0)
    throw new ReleaseError(`Removes the settings ${removed.join(', ')}: this needs a major version.`);
  if (kind === 'patch' && migrations.length + added.length > 0)
    throw new ReleaseError(`Adds ${[...migrations, ...added].join(', ')}: this needs a minor version.`);
}
