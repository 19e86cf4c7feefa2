import { Database } from '@vitrine/database';
import { sqlState, withCorrelation, noteClientAddress } from '@vitrine/runtime';
import { useDomain } from '@vitrine/testing';
import { DecisionLogModule } from '../../moderation/decisions/decision-log.module';
import { DecisionLog } from '../../moderation/decisions/decision-log.service';
import { AuditLogModule } from './audit-log.module';
import { AuditLog } from './audit-log.service';
import type { AuditFilter, NewAuditEntry } from './audit-log.types';

describe('AuditLog', () => {
  const domain = useDomain([AuditLogModule, DecisionLogModule]);
  let audit: AuditLog;
  let ada: { readonly userId: number };
  let bob: { readonly userId: number };

  beforeAll(async () => {
    audit = domain.get(AuditLog);
    ada = await addStaff('Ada');
    bob = await addStaff('Bob');
  });
  beforeEach(() =>
    domain.dataSource.query(
      `alter table audit_log disable trigger audit_log_append_only;
       truncate audit_log, audit_addresses;
       alter table audit_log enable trigger audit_log_append_only`,
    ),
  );

  const query = <Row = Record<string, unknown>>(sql: string, values: unknown[] = []): Promise<Row[]> =>
    domain.dataSource.query(sql, values);
  const addStaff = async (username: string) => {
    const [row] = await query<{ id: number }>(
      `insert into users (username, role) values ($1, 'admin') returning id`,
      [username],
    );
    return { userId: row!.id };
  };
  const newEntry = (more: Partial<NewAuditEntry> = {}): NewAuditEntry => ({
    by: ada,
    action: 'user.create',
    subject: { type: 'user', id: 7, name: 'carol' },
    ...more,
  });
  const append = (one: NewAuditEntry, address?: string): Promise<void> =>
    withCorrelation('test', () => {
      if (address !== undefined) noteClientAddress(address);
      return domain.get(Database).transaction((tx) => audit.append(tx, one));
    });
  const find = async (filter: AuditFilter = {}, page = 1, limit = 100) =>
    (await audit.findPage(filter, page, limit)).entries;
  const count = async (): Promise<number> => (await query('select from audit_log')).length;

  // Promise [administration]: The audit log has actor, action, subject, time and address of what staff did.
  it('returns the actor, the action, the subject, the time and the address', async () => {
    await append(newEntry({ detail: { role: 'user' } }), '192.0.2.7');
    await append(newEntry({ by: null }), '192.0.2.8');
    const [operator, staff] = await find();
    expect(staff).toEqual({
      id: expect.any(Number),
      actor: 'Ada',
      action: 'user.create',
      subjectType: 'user',
      subjectName: 'carol',
      detail: { role: 'user' },
      address: '192.0.2.7',
      createdAt: expect.any(Date),
    });
    expect(operator).toMatchObject({ actor: null, detail: null, address: null });
  });

  // Promise [administration]: An action that was rolled back leaves no entry.
  it('has no entry for an action that was rolled back', async () => {
    const failing = domain.get(Database).transaction(async (tx) => {
      await audit.append(tx, newEntry());
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await count()).toBe(0);
  });

  // Promise [administration]: Entries can’t be changed, even by the owner of the tables.
  it.each([
    ['changed', `update audit_log set action = 'user.delete'`],
    ['deleted', 'delete from audit_log'],
    ['truncated', 'truncate audit_log cascade'],
  ])('has entries that can’t be %s, even by the owner of the tables', async (_, sql) => {
    await append(newEntry(), '192.0.2.7');
    const error: unknown = await query(sql).catch((caught: unknown) => caught);
    expect(sqlState(error)).toBe('23001');
    expect(await find()).toMatchObject([{ action: 'user.create', address: '192.0.2.7' }]);
  });

  it('has an entry for each decision of staff, which repeats nothing of it, and none for others', async () => {
    const decide = (decidedBy: 'moderator' | 'operator' | 'owner' | 'system', fails = false) =>
      withCorrelation('test', () => {
        noteClientAddress('2001:db8::1');
        return domain.get(Database).transaction(async (tx) => {
          await domain.get(DecisionLog).append(tx, {
            subject: 'media',
            subjectId: 3,
            slug: 'aaaaaaa',
            decidedBy,
            decidedByUserId: decidedBy === 'moderator' ? bob.userId : null,
            from: 'pending',
            to: 'rejected',
            reason: decidedBy === 'owner' ? 'owner' : 'moderator',
            scores: null,
            note: 'Spam.',
          });
          if (fails) throw new Error('no');
        });
      });
    await decide('moderator');
    await decide('owner');
    await decide('system');
    await decide('operator');
    await expect(decide('moderator', true)).rejects.toThrow('no');
    const ruling = { action: 'media.rule', subjectType: 'media', subjectName: 'aaaaaaa' };
    const detail = { from: 'pending', to: 'rejected', note: 'Spam.' };
    expect(await find()).toMatchObject([
      { ...ruling, actor: null, address: null, detail },
      { ...ruling, actor: 'Bob', address: '2001:db8::1', detail },
    ]);
    expect(await query('select detail from audit_log where detail is not null')).toEqual([]);
  });

  it('filters by actor, operator, action, subject and time', async () => {
    await append(newEntry());
    await append(newEntry({ by: bob, action: 'user.delete' }));
    await append(newEntry({ by: null, subject: { type: 'hash', id: null, name: 'ab12' } }));
    const names = async (filter: AuditFilter) => (await find(filter)).map(({ actor }) => actor);
    expect(await names({})).toEqual([null, 'Bob', 'Ada']);
    expect(await names({ actor: 'ADA' })).toEqual(['Ada']);
    expect(await names({ actor: 'nobody_here' })).toEqual([]);
    expect(await names({ operator: true })).toEqual([null]);
    expect(await names({ action: 'user.delete' })).toEqual(['Bob']);
    expect(await names({ subject: 'CAROL' })).toEqual(['Bob', 'Ada']);
    expect(await names({ subject: 'carol', actor: 'bob', action: 'user.create' })).toEqual([]);
    const [, second] = await find();
    const at = second!.createdAt.toISOString();
    expect(await names({ to: '2001-01-01T00:00:00Z' })).toEqual([]);
    expect(await names({ from: '2001-01-01T00:00:00Z', to: '2999-01-01T00:00:00Z' })).toHaveLength(3);
    expect(await names({ from: at })).toContain('Bob');
  });

  it('returns pages and counts, both bounded', async () => {
    await query(
      `insert into audit_log (actor_id, action, subject_type, subject_name, created_at)
       select $1, 'user.create', 'user', 'u' || n, now() - make_interval(secs => n)
       from generate_series(1, 10010) n`,
      [ada.userId],
    );
    const first = await audit.findPage({ actor: 'ada' }, 1, 2);
    expect(first.entries.map(({ subjectName }) => subjectName)).toEqual(['u1', 'u2']);
    expect(first.total).toBe(10_000);
    expect(await find({}, 2, 3)).toMatchObject([{ subjectName: 'u4' }, {}, { subjectName: 'u6' }]);
    expect(await find({}, 100, 100)).toHaveLength(100);
    expect(await find({}, 101, 100)).toEqual([]);
    expect(await find({}, 2_147_483_647, 250)).toEqual([]);
  });

  // Promise [administration]: A deleted account’s IP addresses are erased from the audit log.
  it('erases the addresses of a deleted account, and keeps its entries with the name', async () => {
    await append(newEntry(), '192.0.2.7');
    await append(newEntry({ by: bob }), '192.0.2.8');
    expect(await audit.eraseAddressesOf(ada.userId, 10)).toBe(1);
    expect(await audit.eraseAddressesOf(ada.userId, 10)).toBe(0);
    expect(await find()).toMatchObject([
      { actor: 'Bob', address: '192.0.2.8' },
      { actor: 'Ada', address: null },
    ]);
  });
});
