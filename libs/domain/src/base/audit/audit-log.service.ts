import { Injectable } from '@nestjs/common';
import { MAX_AUDIT_ENTRIES } from '@vitrine/contracts';
import type { Transaction } from '@vitrine/database';
import { currentClientAddress } from '@vitrine/runtime';
import { AuditLogRepository } from './audit-log.repository';
import type { AuditEntry, AuditFilter, NewAuditEntry } from './audit-log.types';

export interface AuditPage {
  /** Newest first. */
  readonly entries: readonly AuditEntry[];
  /** Counted up to `MAX_AUDIT_ENTRIES`. */
  readonly total: number;
}

/**
 * The log of everything that staff does: on the site, by the API and on the command line. Entries are never changed or
 * removed.
 */
@Injectable()
export class AuditLog {
  constructor(private readonly repository: AuditLogRepository) {}

  /**
   * Adds an entry within the transaction of the action, with the address of the request in which it happens. To be
   * called after every lock is taken.
   */
  async append(tx: Transaction, entry: NewAuditEntry): Promise<void> {
    await this.repository.append(tx, entry, entry.by === null ? null : (currentClientAddress() ?? null));
  }

  /** One page; `page` counts from 1. */
  async findPage({ actor, ...conditions }: AuditFilter, page: number, limit: number): Promise<AuditPage> {
    const actorId = actor === undefined ? undefined : await this.repository.findActor(actor);
    if (actorId === null) return { entries: [], total: 0 };
    const filter = { ...conditions, actorId };
    const offset = (page - 1) * limit;
    const [entries, total] = await Promise.all([
      offset < MAX_AUDIT_ENTRIES
        ? this.repository.findPage(filter, Math.min(limit, MAX_AUDIT_ENTRIES - offset), offset)
        : [],
      this.repository.count(filter, MAX_AUDIT_ENTRIES),
    ]);
    return { entries, total };
  }

  /**
   * Erases up to `batch` addresses from which a deleted account acted; returns the number found. The entries stay, with
   * the name of the account.
   */
  eraseAddressesOf(userId: number, batch: number): Promise<number> {
    return this.repository.removeAddressesOf(userId, batch);
  }
}
