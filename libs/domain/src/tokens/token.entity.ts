import type { Scope } from '@vitrine/contracts';
import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { TokenKind } from './caller';

/** A token of an account; of its secret only the hash is kept. */
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

  /** Of sessions, e.g. `Firefox on Linux`; null where it isn't known. */
  @Column({ type: 'text', nullable: true })
  device!: string | null;

  /** Of tickets: the token that asked for it, with which it ends. */
  @Column({ name: 'issued_by', type: 'bigint', nullable: true })
  issuedBy!: number | null;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  /** To within five minutes. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt!: Date | null;

  /** Null: never. */
  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt!: Date | null;
}
