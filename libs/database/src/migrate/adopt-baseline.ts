import type { Client } from 'pg';
import { withClient } from '../connections/connections';
import { BASELINE } from './schema-files';

/** The steps that the baseline replaces. */
export const OLD_STEPS: readonly string[] = `
  0001_core 0002_bus 0003_failed_media 0004_social 0005_idempotency 0006_reports 0007_tag_counts 0008_guests
  0009_ticket_issuers 0010_rulings_taken_back 0011_waiting_since 0012_processing_turns 0012b_upload_overruns
  0013a_post_revisions 0013b_unlisted_media 0013c_ruled_revisions 0013d_lapsed_rulings 0013e_safe_tag_counts
  0013f_fill_safe_tag_counts 0013g_safe_tag_uses 0013h_relist_nsfw_posts 0013i_mark_empty_posts 0013j_index_comments
  0014_accounts 0014_token_scopes_valid 0014_email_not_unique 0015_fully_seen 0019_deletion_keys 0020_webhooks
  0020_webhook_events 0020_webhook_media_events 0021_comment_edits 0022_nsfw_uploads 0023a_account_restrictions
  0023b_decision_checks_valid 0024_registration 0030a_ranks 0030b_posts_ranked 0030c_media_ranked
  0030d_post_media_ranked 0030e_post_tags_ranked 0030f_media_tags_ranked 0030g_fill_post_ranks
  0030h_fill_post_rank_gaps 0030i_fill_media_ranks 0030j_fill_media_rank_gaps 0030k_fill_post_tags
  0030l_fill_media_tags 0030m_post_tags_top 0030n_media_tags_top 0030o_feed_totals_top 0030p_index_comments
  0031_blocks_and_mutes 0032_notifications 0033_nsfw_marks 0034_second_factors 0035_login_history 0036_mails
  0037_identity_providers 0038a_storage_usage 0038b_storage_counted 0039a_audit_log 0039b_audit_earlier_decisions
  0040a_users_members_idx 0040b_users_name_prefix_idx 0040c_users_email_prefix_idx 0040d_users_staff_idx
  0040e_media_failed_idx 0040f_bus_reports 0041a_storage_days 0041b_storage_usage_bytes_idx 0044a_storage_kinds
  0044b_storage_kinds_counted 0045_process_settings 0047a_shared_files 0047b_media_shared_key_valid
  0047c_media_shared_key_idx 0047d_media_stored_sha256_idx 0047e_media_processed_idx 0048a_variant_retention
  0048b_media_variants_unused_idx 0049_alternatives 0051_cache_purges 0053_unused_queue 0054a_webhook_tokens
  0054b_webhook_reasons_valid 0054c_webhooks_token_idx 0054d_token_to_webhooks 0054e_webhook_receivers
  0054f_limited_mails`
  .trim()
  .split(/\s+/);

/** The records of the database don't permit what was asked; the message says what to do. */
export class BaselineError extends Error {
  override readonly name = 'BaselineError';
}

/** Whether a step is one of those that the baseline replaces. */
export const isOldStep = (name: string): boolean => OLD_STEPS.includes(name);

/** Throws `BaselineError` if `applied` contains steps that the baseline replaces. */
export function refuseOldSteps(applied: readonly string[]): void {
  if (applied.some(isOldStep)) {
    throw new BaselineError(
      'The schema was made by the steps before the baseline. Run: npm run admin -- adopt-baseline',
    );
  }
}

/**
 * Replaces the records of the steps before the baseline by that of the baseline, which makes the same schema. Returns how
 * many records it replaced: 0 if the database has the baseline. Throws `BaselineError` if the steps are incomplete.
 */
export async function adoptBaseline(url: string): Promise<number> {
  return withClient(url, 'vitrine-migrate', async (client) => {
    await client.query('begin');
    const applied = await lockRecords(client);
    const missing = OLD_STEPS.filter((name) => !applied.includes(name));
    if (missing.length === OLD_STEPS.length && applied.includes(BASELINE)) return 0;
    if (missing.length > 0) {
      throw new BaselineError(
        `The database lacks ${missing.length} of the ${OLD_STEPS.length} steps before the baseline, from ${missing[0]} on. ` +
          'Return to the version of Vitrine that used this database last, run npm run admin -- migrate there, and try again.',
      );
    }
    await client.query('delete from schema_migrations where name = any($1)', [OLD_STEPS]);
    await client.query('insert into schema_migrations (name) values ($1)', [BASELINE]);
    await client.query('commit');
    return OLD_STEPS.length;
  });
}

/** Reads the names of all recorded steps, and lets no other session change the records meanwhile. */
async function lockRecords(client: Client): Promise<readonly string[]> {
  const { rows: tables } = await client.query<{ found: boolean }>(
    `select to_regclass('schema_migrations') is not null as found`,
  );
  if (!tables[0]?.found)
    throw new BaselineError('The database has no schema yet. Run: npm run admin -- migrate');
  await client.query('lock table schema_migrations in exclusive mode');
  const { rows } = await client.query<{ name: string }>('select name from schema_migrations');
  return rows.map(({ name }) => name);
}
