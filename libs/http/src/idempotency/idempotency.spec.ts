import { createHash } from 'node:crypto';
import { Database } from '@vitrine/database';
import {
  AnswerLostError,
  ForbiddenError,
  InvalidFieldsError,
  RequestInProgressError,
  TooManyRequestsError,
  UnavailableError,
} from '@vitrine/domain';
import { useDomain } from '@vitrine/testing';
import { Idempotency, type KeptAnswer } from './idempotency';
import { IdempotencyModule } from './idempotency.module';
import { keyId } from './sealing';

const DONE: KeptAnswer = { status: 201, headers: { location: '/made' }, body: '{"made":true}' };

describe('Idempotency', () => {
  const domain = useDomain([IdempotencyModule]);
  let idempotency: Idempotency;
  let connection: Database;
  let keys = 0;
  beforeAll(async () => {
    idempotency = domain.get(Idempotency);
    connection = domain.get(Database);
    await domain.dataSource.query('create table effects (by text)');
  });
  beforeEach(() => domain.dataSource.query('truncate effects'));

  const freshKey = () => ({ id: keyId('user:1', `key-${++keys}`), key: `key-${keys}` });
  const request = (body = 'request') => ({
    digest: createHash('sha256').update(body).digest(),
    secretive: false,
  });
  const effect = (by = 'work') =>
    connection.transaction(async (tx) => void (await tx.query('insert into effects values ($1)', [by])));
  const effects = async (): Promise<string[]> => {
    const rows = await domain.dataSource.query<{ by: string }[]>('select by from effects order by by');
    return rows.map(({ by }) => by);
  };
  const letLeasesLapse = () => domain.dataSource.query('update idempotency_keys set lease_until = now()');
  const never = () => Promise.reject(new Error('must not be called'));

  it('runs the work once and keeps its answer', async () => {
    const key = freshKey();
    expect(await idempotency.knows(key)).toBe(false);
    const work = async () => {
      await effect();
      return DONE;
    };
    expect(await idempotency.answer(key, request(), work)).toEqual({ ...DONE, replayed: false });
    expect(await idempotency.answer(key, request(), never)).toEqual({ ...DONE, replayed: true });
    expect(await idempotency.knows(key)).toBe(true);
    expect(await effects()).toEqual(['work']);
    await expect(idempotency.answer(key, request('another'), never)).rejects.toThrow(InvalidFieldsError);
  });

  it('keeps a refusal, and frees the key after an error that may pass', async () => {
    const key = freshKey();
    const refuse = (error: Error) => idempotency.answer(key, request(), () => Promise.reject(error));
    for (const passing of [new TooManyRequestsError(1), new UnavailableError(1), new Error('bug')]) {
      await expect(refuse(passing)).rejects.toBe(passing);
      expect(await idempotency.knows(key)).toBe(false);
    }
    await expect(refuse(new ForbiddenError())).rejects.toThrow(ForbiddenError);
    expect(await idempotency.answer(key, request(), never)).toMatchObject({ status: 403, replayed: true });
  });

  it('does not repeat work that was committed and then failed', async () => {
    const key = freshKey();
    const work = async () => {
      await effect();
      throw new UnavailableError(1);
    };
    await expect(idempotency.answer(key, request(), work)).rejects.toThrow(UnavailableError);
    await expect(idempotency.answer(key, request(), never)).rejects.toThrow(AnswerLostError);
    expect(await effects()).toEqual(['work']);
  });

  it('repeats work that was rolled back', async () => {
    const key = freshKey();
    const fail = () =>
      connection.transaction(async (tx) => {
        await tx.query('insert into effects values ($1)', ['rolled back']);
        throw new UnavailableError(1);
      });
    await expect(idempotency.answer(key, request(), fail)).rejects.toThrow(UnavailableError);
    const work = async () => {
      await effect();
      return DONE;
    };
    expect(await idempotency.answer(key, request(), work)).toMatchObject({ replayed: false });
    expect(await effects()).toEqual(['work']);
  });

  it('lets an attempt commit nothing more after another has taken over', async () => {
    const key = freshKey();
    const slow = idempotency.answer(key, request(), async () => {
      await expect(idempotency.answer(key, request(), never)).rejects.toThrow(RequestInProgressError);
      await letLeasesLapse();
      const other = await idempotency.answer(key, request(), async () => {
        await effect('other');
        return DONE;
      });
      expect(other.replayed).toBe(false);
      await effect('slow');
      return { ...DONE, status: 200 };
    });
    await expect(slow).rejects.toThrow(UnavailableError);
    expect(await effects()).toEqual(['other']);
    expect(await idempotency.answer(key, request(), never)).toEqual({ ...DONE, replayed: true });
  });

  it('does not mark transactions that the work starts in the background', async () => {
    const key = freshKey();
    let later: Promise<void> | undefined;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const work = () => {
      later = begun.then(() => effect('later'));
      return Promise.reject(new UnavailableError(1));
    };
    await expect(idempotency.answer(key, request(), work)).rejects.toThrow(UnavailableError);
    begin();
    await later;
    expect(await effects()).toEqual(['later']);
    expect(await idempotency.knows(key)).toBe(false);
  });
});
