import { Database } from '@vitrine/database';
import { useModeration } from '../../../test/moderation-stage';
import { MediaListings } from './media-listings.service';

describe('MediaListings', () => {
  const stage = useModeration();

  it('keeps one plan of a connection after five executions, instead of planning again for each decision', async () => {
    const { id } = await stage.addMedia();
    const listings = stage.domain.get(MediaListings);
    const plans = await stage.domain.get(Database).transaction(async (tx) => {
      // PostgreSQL makes a plan for the given values five times. Then it compares their cost with a plan for all values.
      for (let times = 0; times < 7; times++) await listings.deriveListings(tx, [id]);
      return tx.query<{ custom: number; generic: number }>(
        `select custom_plans::integer as custom, generic_plans::integer as generic from pg_prepared_statements
         where statement like 'update media set listing%'`,
      );
    });
    expect(plans).toEqual([{ custom: 5, generic: 2 }]);
  });
});
