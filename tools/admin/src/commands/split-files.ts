import { SharedFiles, type SharingMedia, UnavailableError } from '@vitrine/domain';
import { readConfig } from '@vitrine/runtime';
import { createStorage, type ObjectStorage, StorageConfig } from '@vitrine/storage';
import { type AdminCommand, CommandFailure } from '../command-line/admin-command';
import { readArguments } from '../command-line/arguments';
import { withDomain } from '../command-line/contexts';

/** Media that one statement finds. */
const BATCH = 100;

/** `npm run admin -- split-files`, before a return to a release that doesn't know shared files. */
export const splitFiles: AdminCommand = {
  name: 'split-files',
  usage: '',
  summary:
    'Store the original of each media item under its own key again; first set MERGE_EQUAL_FILES_AFTER_SECONDS=0 for all upload-services.',
  async run(args, { print }) {
    readArguments(args, { positions: [], options: [] });
    const storage = await createStorage(readConfig(StorageConfig));
    try {
      await withDomain(async (context) => {
        const count = await split(context.get(SharedFiles), storage);
        print(`${count} media have originals of their own again.`);
      });
    } finally {
      await storage.close();
    }
  },
};

async function split(sharedFiles: SharedFiles, storage: ObjectStorage): Promise<number> {
  const claim = await sharedFiles.claim();
  if (!claim) throw new CommandFailure('Files are being merged; try again in a minute.');
  try {
    let count = 0;
    // The media item under whose key a file is stored comes after the others that share it.
    for (let pass = 1; pass <= 2; pass++) {
      for (let after = 0; ;) {
        const batch = await sharedFiles.findSharing(after, BATCH);
        for (const media of batch) {
          if (!(await sharedFiles.advance(claim))) throw new CommandFailure('Files are being merged again.');
          const store = (key: string): Promise<void> => copy(storage, media, key);
          if (await separate(sharedFiles, media, store)) count++;
        }
        const last = batch.at(-1);
        if (!last) break;
        after = last.id;
      }
    }
    return count;
  } finally {
    await sharedFiles.endClaim(claim);
  }
}

async function separate(
  sharedFiles: SharedFiles,
  media: SharingMedia,
  store: (key: string) => Promise<void>,
): Promise<boolean> {
  try {
    return await sharedFiles.separate(media, store);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    throw new CommandFailure('Second copies of files are being deleted; try again in an hour.');
  }
}

/** Stores the bytes of a shared file under another key, unless they are there. */
async function copy(
  storage: ObjectStorage,
  { sharedKey, bytes }: { readonly sharedKey: string; readonly bytes: number },
  key: string,
): Promise<void> {
  const found = await storage.head(key);
  if (!found) {
    const { path, release } = await storage.checkOut(sharedKey);
    try {
      await storage.addNew(path, key);
    } finally {
      await release();
    }
  }
  if ((found ?? (await storage.head(key)))?.size !== bytes)
    throw new CommandFailure(`The object ${key} does not have the bytes of ${sharedKey}.`);
}
