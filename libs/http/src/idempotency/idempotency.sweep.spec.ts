import { createHash, randomUUID } from 'node:crypto';
import { useDomain } from '@vitrine/testing';
import { IdempotencyModule } from './idempotency.module';
import { IdempotencyRepository } from './idempotency.repository';
import { IdempotencySweep } from './idempotency.sweep';

describe('IdempotencySweep', () => {
  const domain = useDomain([IdempotencyModule]);

  it('stops after a batch when the process stops', async () => {
    await domain.dataSource.query(
      `insert into idempotency_keys (id, fingerprint, claim, lease_until, expires_at)
       select sha256(n::text::bytea), sha256(n::text::bytea), gen_random_uuid(), now(), now() - interval '1 second'
       from generate_series(1, 1500) n`,
    );
    const sweep = domain.get(IdempotencySweep);
    expect(await sweep.runOnce(() => false)).toEqual({ forgotten: 1000 });
    expect(await sweep.runOnce()).toEqual({ forgotten: 500 });
  });

  it('deletes every expired key once, also if two processes sweep at the same time', async () => {
    await domain.dataSource.query(
      `insert into idempotency_keys (id, fingerprint, claim, lease_until, expires_at)
       select sha256(n::text::bytea), sha256(n::text::bytea), gen_random_uuid(), now(), now() - interval '1 second'
       from generate_series(1, 2500) n`,
    );
    const live = { id: createHash('sha256').update('live').digest(), claim: randomUUID() };
    const repository = domain.get(IdempotencyRepository);
    expect(await repository.take(live, live.id, 10)).toBe(true);
    const [one, other] = await Promise.all([
      domain.get(IdempotencySweep).runOnce(),
      new IdempotencySweep(repository).runOnce(),
    ]);
    expect(one.forgotten + other.forgotten).toBe(2500);
    expect(await repository.find(live.id)).toMatchObject({ answer: null, carriedOut: false, lapsed: false });
    const [row] = await domain.dataSource.query<{ left: number }[]>(
      'select count(*)::integer as left from idempotency_keys',
    );
    expect(row?.left).toBe(1);
  });
});
