import { objectKeys } from '@vitrine/contracts';
import { DeletionHold, MediaReading, SharedFiles } from '@vitrine/domain';
import { readConfig } from '@vitrine/runtime';
import { createStorage, type ObjectStorage, StorageConfig } from '@vitrine/storage';
import { type AdminCommand, CommandFailure, UsageError } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { withDomain } from '../command-line/contexts';

/** Objects that are looked up with one query, or deleted with one request. */
const BATCH = 1000;
/** Much longer than an upload takes, whose objects are stored before its row. */
const YOUNGEST_MS = 86_400_000;
/** The first characters of slugs, in the order in which their objects are compared. */
const SECTIONS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
/** More orphans in one of the 62 sections mean that the database is older than the storage, or belongs to another one. */
const TOO_MANY = { objects: 20, share: 0.1 } as const;

/** `npm run admin -- sweep-orphans`: the comparison of the storage with the database. */
export const sweepOrphans: AdminCommand = {
  name: 'sweep-orphans',
  usage: '[--remove [--unlimited]] [--from CHARACTER]',
  summary:
    'Print the objects that belong to no media item and are a day old, or remove them. Reads the list of all objects, in sections by the first character of slugs; --from begins with a later section. --unlimited also removes them if they are more than a tenth of a section.',
  async run(args, { print, complain }) {
    const {
      remove = false,
      unlimited = false,
      from = SECTIONS[0]!,
    } = readArguments(args, {
      positions: [],
      options: ['from'],
      flags: ['remove', 'unlimited'],
    });
    if (!SECTIONS.includes(from)) throw new UsageError('--from takes one letter or digit.');
    const storage = await createStorage(readConfig(StorageConfig));
    try {
      await withDomain(async (context) => {
        if (remove && (await context.get(DeletionHold).isHeld()))
          throw new CommandFailure('Deletions are held. First run: npm run admin -- hold-deletions --end');
        const orphans = new Orphans(storage, context.get(MediaReading), context.get(SharedFiles));
        for (const section of SECTIONS.slice(SECTIONS.indexOf(from))) {
          const { keys, seen } = await orphans.find(section);
          // Standard output has only keys, so that it can be kept as a list.
          if (!remove) for (const key of keys) print(key);
          else if (unlimited || keys.length <= Math.max(TOO_MANY.objects, seen * TOO_MANY.share))
            await orphans.remove(keys);
          else throw new CommandFailure(refusalOf(section, keys.length, seen));
          if (seen > 0)
            complain(`${section}: ${seen} objects, ${keys.length} ${remove ? 'removed' : 'orphans'}`);
        }
      });
    } finally {
      await storage.close();
    }
  },
};

const refusalOf = (section: string, orphans: number, seen: number): string =>
  `${orphans} of ${seen} objects belong to no media item, so none is removed. Check that this database belongs to this ` +
  `storage and is complete; then continue with --remove --unlimited --from ${section}`;

class Orphans {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly media: MediaReading,
    private readonly sharedFiles: SharedFiles,
  ) {}

  /** The old objects of a section that belong to no media item, and how many old objects it has. */
  async find(section: string): Promise<{ readonly keys: readonly string[]; readonly seen: number }> {
    const keys: string[] = [];
    let seen = 0;
    let batch = new Map<string, string>();
    const look = async (): Promise<void> => {
      keys.push(...(await this.withoutMedia(batch)));
      seen += batch.size;
      batch = new Map();
    };
    for (const root of objectKeys.roots) {
      for await (const { key, modifiedAt } of this.storage.list(`${root}${section}`)) {
        const slug = objectKeys.slugOf(key);
        // Objects with foreign keys are never removed.
        if (slug === null || modifiedAt.getTime() > Date.now() - YOUNGEST_MS) continue;
        batch.set(key, slug);
        if (batch.size === BATCH) await look();
      }
    }
    if (batch.size > 0) await look();
    return { keys, seen };
  }

  async remove(keys: readonly string[]): Promise<void> {
    for (let at = 0; at < keys.length; at += BATCH) await this.storage.delete(keys.slice(at, at + BATCH));
  }

  private async withoutMedia(slugsByKey: ReadonlyMap<string, string>): Promise<readonly string[]> {
    const existing = await this.media.findExistingSlugs([...new Set(slugsByKey.values())]);
    const keys = [...slugsByKey].filter(([, slug]) => !existing.has(slug)).map(([key]) => key);
    // The media item under whose key an object is shared may be deleted.
    const shared = await this.sharedFiles.findShared(keys);
    return keys.filter((key) => !shared.has(key));
  }
}
