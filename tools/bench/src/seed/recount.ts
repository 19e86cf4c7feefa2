import 'reflect-metadata';
import { FeedCountsService, QuotasService } from '@vitrine/domain';
import { withDomain } from '@vitrine/admin/contexts';

/** Counts the feeds and the stored bytes of the database of `DATABASE_URL` again. */
withDomain(async (context) => {
  await context.get(FeedCountsService).recountAll();
  await context.get(QuotasService).recountAll();
}).catch((error: Error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exitCode = 1;
});
