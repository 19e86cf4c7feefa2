import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Transaction } from '@vitrine/database';
import type { Repository } from 'typeorm';
import type { Verdict } from './moderation.rules';
import { ModerationQueueEntity } from './moderation-queue.entity';

/** One page of the moderators' queue. */
export interface QueuePage {
  /** Oldest first. */
  readonly items: readonly ModerationQueueEntity[];
  /** Of the whole queue. */
  readonly total: number;
}

/** Every query on `moderation_queue`. */
@Injectable()
export class ModerationQueueRepository {
  constructor(
    @InjectRepository(ModerationQueueEntity) private readonly table: Repository<ModerationQueueEntity>,
  ) {}

  /** One that waits already keeps its place. */
  async enqueue(tx: Transaction, mediaId: number, { reason, scores }: Verdict): Promise<void> {
    await tx.query(
      `insert into moderation_queue (media_id, scores, reasons) values ($1, $2, $3)
       on conflict (media_id) do update set scores = excluded.scores, reasons = excluded.reasons`,
      [mediaId, JSON.stringify(scores ?? {}), [reason]],
    );
  }

  async remove(tx: Transaction, mediaId: number): Promise<void> {
    await tx.repository(ModerationQueueEntity).delete(mediaId);
  }

  /** `page` counts from 1. */
  async findPage(page: number, limit: number): Promise<QueuePage> {
    const [items, total] = await this.table.findAndCount({
      order: { waitingSince: 'ASC', mediaId: 'ASC' },
      skip: (page - 1) * limit,
      take: limit,
    });
    return { items, total };
  }
}
