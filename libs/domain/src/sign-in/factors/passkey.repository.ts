import { Injectable } from '@nestjs/common';
import { Database, type Transaction } from '@vitrine/database';

/** What a challenge is for. */
export type PasskeyPurpose = 'registration' | 'login' | 'confirmation';

/** A passkey, for its owner. */
export interface Passkey {
  readonly id: number;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  /** When a copy of it was noticed, since when it no longer works; null otherwise. */
  readonly clonedAt: Date | null;
}

/** A passkey with what verifies its signatures. */
export interface StoredPasskey {
  readonly id: number;
  readonly userId: number;
  readonly name: string;
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: number;
  readonly transports: readonly string[];
}

export type NewPasskey = Omit<StoredPasskey, 'id'>;

const PASSKEY = `id, name, created_at as "createdAt", last_used_at as "lastUsedAt", cloned_at as "clonedAt"`;
const STORED = `id, user_id as "userId", name, credential_id as "credentialId", public_key as "publicKey",
  counter::float8 as counter, transports`;

/** Every query on the tables `passkeys` and `passkey_challenges`. */
@Injectable()
export class PasskeyRepository {
  constructor(private readonly database: Database) {}

  /** Oldest first. */
  findAll(userId: number): Promise<readonly Passkey[]> {
    return this.database.read<Passkey>(`select ${PASSKEY} from passkeys where user_id = $1 order by id`, [
      userId,
    ]);
  }

  async find(userId: number, id: number): Promise<Passkey | null> {
    const [row] = await this.database.read<Passkey>(
      `select ${PASSKEY} from passkeys where user_id = $1 and id = $2`,
      [userId, id],
    );
    return row ?? null;
  }

  /** The passkeys that can be used, oldest first. */
  findUsable(userId: number): Promise<readonly StoredPasskey[]> {
    return this.database.read<StoredPasskey>(
      `select ${STORED} from passkeys where user_id = $1 and cloned_at is null order by id`,
      [userId],
    );
  }

  async findByCredential(credentialId: Buffer): Promise<StoredPasskey | null> {
    const [row] = await this.database.read<StoredPasskey>(
      `select ${STORED} from passkeys where credential_id = $1 and cloned_at is null`,
      [credentialId],
    );
    return row ?? null;
  }

  /** Throws PostgreSQL's unique_violation of `passkeys_credential_key`. */
  async insert(tx: Transaction, passkey: NewPasskey): Promise<number> {
    const [row] = await tx.query<{ id: number }>(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name)
       values ($1, $2, $3, $4, $5, $6) returning id`,
      [
        passkey.userId,
        passkey.credentialId,
        passkey.publicKey,
        passkey.counter,
        passkey.transports,
        passkey.name,
      ],
    );
    if (!row) throw new Error('A new row has no id');
    return row.id;
  }

  async count(tx: Transaction, userId: number): Promise<number> {
    const [row] = await tx.query<{ total: number }>(
      'select count(*)::integer as total from passkeys where user_id = $1',
      [userId],
    );
    return row?.total ?? 0;
  }

  /** Stores the counter of a use. Returns false if it didn't rise; authenticators without one always send 0. */
  noteUse(tx: Transaction, id: number, counter: number): Promise<boolean> {
    return tx.affects(
      `update passkeys set counter = $2, last_used_at = now()
       where id = $1 and cloned_at is null and (counter < $2 or (counter = 0 and $2 = 0))`,
      [id, counter],
    );
  }

  markCloned(tx: Transaction, id: number): Promise<boolean> {
    return tx.affects(`update passkeys set cloned_at = now() where id = $1 and cloned_at is null`, [id]);
  }

  rename(tx: Transaction, userId: number, id: number, name: string): Promise<boolean> {
    return tx.affects(`update passkeys set name = $3 where user_id = $1 and id = $2`, [userId, id, name]);
  }

  /** Returns the name of the removed passkey, or null if there is none. */
  async remove(tx: Transaction, userId: number, id: number): Promise<string | null> {
    const [row] = await tx.query<{ name: string }>(
      `delete from passkeys where user_id = $1 and id = $2 returning name`,
      [userId, id],
    );
    return row?.name ?? null;
  }

  async removeAll(tx: Transaction, userId: number): Promise<void> {
    await tx.query('delete from passkeys where user_id = $1', [userId]);
    await tx.query('delete from passkey_challenges where user_id = $1', [userId]);
  }

  /** Stores a challenge, and removes up to 100 expired ones. */
  async insertChallenge(
    tx: Transaction,
    challenge: Buffer,
    purpose: PasskeyPurpose,
    userId: number | null,
    minutes: number,
  ): Promise<void> {
    await tx.query(
      `delete from passkey_challenges where challenge in (
         select challenge from passkey_challenges where expires_at <= now() limit 100 for update skip locked)`,
    );
    await tx.query(
      `insert into passkey_challenges (challenge, purpose, user_id, expires_at)
       values ($1, $2, $3, now() + make_interval(mins => $4))`,
      [challenge, purpose, userId, minutes],
    );
  }

  /** Uses a challenge up. Returns false if it is unknown, expired, used, or for something or somebody else. */
  useChallenge(
    tx: Transaction,
    challenge: Buffer,
    purpose: PasskeyPurpose,
    userId: number | null,
  ): Promise<boolean> {
    return tx.affects(
      `delete from passkey_challenges
       where challenge = $1 and purpose = $2 and user_id is not distinct from $3::bigint and expires_at > now()`,
      [challenge, purpose, userId],
    );
  }
}
