import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** A banned file (`sha256`) or picture (`pdq`). */
@Entity('banned_hashes')
export class BannedHashEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ type: 'text' })
  kind!: 'sha256' | 'pdq';

  /** 32 bytes for either kind. */
  @Column({ type: 'bytea' })
  hash!: Buffer;

  @Column({ type: 'text' })
  reason!: string;

  /** The moderator's account; null for the operator. */
  @Column({ name: 'created_by', type: 'bigint', nullable: true })
  createdBy!: number | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;
}
