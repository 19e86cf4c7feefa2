import type { Scope } from '@vitrine/contracts';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { TokenKind } from '../../base/access/caller';

/** A token of a user. Only the hash of its secret is stored. */
@Entity('tokens')
export class TokenEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint' })
  id!: number;

  @Column({ name: 'user_id', type: 'bigint' })
  userId!: number;

  @Column({ type: 'text' })
  kind!: TokenKind;

  @Column({ type: 'text' })
  name!: string;

  @Column({ name: 'secret_sha256', type: 'bytea', select: false })
  secretSha256!: Buffer;

  @Column({ type: 'text', array: true })
  scopes!: Scope[];

  /** For sessions, e.g. `Firefox on Linux`; null if unknown. */
  @Column({ type: 'text', nullable: true })
  device!: string | null;

  /** For tickets: the id of the token that requested it and with which it ends. */
  @Column({ name: 'issued_by', type: 'bigint', nullable: true })
  issuedBy!: number | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** Accurate to five minutes. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;

  /** Null if it doesn't expire. */
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;
}
