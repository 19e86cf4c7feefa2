import { git, names } from './repository';

/** What an operator meets in a release. */
export interface Changes {
  /** Migrations since the previous release, in order; for the first release all. */
  readonly migrations: readonly string[];
  /** Settings that the previous release didn't have; none for the first release. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const MIGRATIONS = 'libs/database/schema/migrations';

/** What has changed for operators between the tag of the previous release and the commit that is checked out. */
export function changesSince(root: string, previous: string | undefined): Changes {
  const migrationsAt = (commit: string): string[] =>
    names(git(root, 'ls-tree', '--name-only', commit, `${MIGRATIONS}/`)).map((path) =>
      path.slice(MIGRATIONS.length + 1).replace(/\.sql$/, ''),
    );
  const settingsAt = (commit: string): string[] =>
    [...git(root, 'show', `${commit}:.env.example`).matchAll(/^# ([A-Z][A-Z0-9_]*)=/gm)].map(
      ([, name]) => name!,
    );
  if (!previous) return { migrations: migrationsAt('HEAD'), added: [], removed: [] };
  const [old, now] = [settingsAt(previous), settingsAt('HEAD')];
  return {
    migrations: migrationsAt('HEAD').filter((name) => !migrationsAt(previous).includes(name)),
    added: now.filter((name) => !old.includes(name)),
    removed: old.filter((name) => !now.includes(name)),
  };
}

/**
 * The changelog with "Unreleased" turned into the section of `version`, which ends with what to know for the upgrade.
 * Undefined if nothing is unreleased.
 */
export function withRelease(
  changelog: string,
  version: string,
  today: string,
  changes: Changes,
): string | undefined {
  const [head, unreleased] = changelog.split(/^(?=## Unreleased$)/m);
  const [notes = '', ...older] = unreleased?.slice('## Unreleased'.length).split(/^(?=## )/m) ?? [];
  if (!notes.trim()) return undefined;
  return [
    `${head}## Unreleased\n`,
    `## ${version} (${today})\n\n${notes.trim()}\n`,
    `### Upgrading to ${version}\n\n${upgradeNotes(changes).join('\n')}\n`,
    ...(older.length > 0 ? [older.join('')] : []),
  ].join('\n');
}

function upgradeNotes({ migrations, added, removed }: Changes): string[] {
  const [first, last] = [migrations[0], migrations.at(-1)];
  const range = first === last ? first : `${first} to ${last}`;
  const list = (settings: readonly string[]): string => settings.map((name) => `\`${name}\``).join(', ');
  return [
    first === undefined ? '- No migrations.' : `- Migrations: ${range}.`,
    ...(added.length > 0 ? [`- New settings: ${list(added)}.`] : []),
    ...(removed.length > 0 ? [`- Removed settings: ${list(removed)}.`] : []),
  ];
}
