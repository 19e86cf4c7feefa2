import { Injectable } from '@nestjs/common';
import type { Transaction } from '@vitrine/database';
import type { Verdict } from './moderation.rules';

/** Every write of `moderation_queue`, which holds the media about which automation was unsure. */
@Injectable()
export class ModerationQueueRepository {
  /**
   * Adds a media item. `since` is the beginning of its wait; absent means now. If it waits already, it keeps its
   * place.
   */
  async enqueue(tx: Transaction, mediaId: number, { reason, scores }: Verdict, since?: Date): Promise<void> {
    await tx.query(
      `insert into moderation_queue (media_id, scores, reasons, waiting_since)
       values ($1, $2, $3, coalesce($4, now()))
       on conflict (media_id) do update set scores = excluded.scores, reasons = excluded.reasons`,
      [mediaId, JSON.stringify(scores ?? {}), [reason], since ?? null],
    );
  }

  async remove(tx: Transaction, mediaId: number): Promise<void> {
    await tx.query('delete from moderation_queue where media_id = $1', [mediaId], { prepared: true });
  }
}
