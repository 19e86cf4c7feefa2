import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { DecisionReason, Verdict } from './moderation.rules';

/** A media that waits for a moderator. */
@Entity('moderation_queue')
export class ModerationQueueEntity {
  @PrimaryColumn({ name: 'media_id', type: 'bigint' })
  mediaId!: number;

  @Column({ type: 'jsonb' })
  scores!: NonNullable<Verdict['scores']> | Record<string, never>;

  @Column({ type: 'text', array: true })
  reasons!: readonly DecisionReason[];

  @CreateDateColumn({ name: 'waiting_since', type: 'timestamptz' })
  waitingSince!: Date;
}
