import 'reflect-metadata';
import { FeedCountsService } from '@vitrine/domain';
import { withDomain } from '../admin/command-line/contexts';

/** Counts the feeds of the database of `DATABASE_URL` again. */
withDomain((context) => context.get(FeedCountsService).recountAll()).catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
