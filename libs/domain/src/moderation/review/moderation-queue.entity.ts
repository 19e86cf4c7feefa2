import { Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import type { DecisionReason, DecisionScores } from '../decisions/decision.types';

/** A media item in the moderation queue. */
@Entity('moderation_queue')
export class ModerationQueueEntity {
  @PrimaryColumn({ name: 'media_id', type: 'bigint' })
  mediaId!: number;

  @Column({ type: 'jsonb' })
  scores!: DecisionScores | Record<string, never>;

  @Column({ type: 'text', array: true })
  reasons!: readonly DecisionReason[];

  @CreateDateColumn({ name: 'waiting_since', type: 'timestamptz' })
  waitingSince!: Date;
}
