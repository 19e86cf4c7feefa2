import { eventually } from '@vitrine/testing';
import { createPerson, type Person } from './people';
import { storeMedia } from './stored';
import { useGateway } from './use-gateway';

describe('GET /media/<slug>?wait=', () => {
  const api = useGateway();
  let owner: Person;
  let slug: string;

  beforeAll(async () => {
    owner = await createPerson(api.database);
  });
  beforeEach(async () => {
    ({ slug } = await storeMedia(api.database, owner, { status: 'pending' }));
    await change('processed = false, decided_at = null');
  });

  const change = (assignments: string) =>
    api.database.query(`update media set ${assignments} where slug = $1`, [slug]);
  const ask = (wait: number | string, token?: string) =>
    api.gateway.ask<{ data: Record<string, unknown> }>('GET', `/media/${slug}?wait=${wait}`, {
      ...(token !== undefined && { token }),
    });
  const metric = async (line: RegExp): Promise<number> => {
    const metrics = await (await fetch(`${api.gateway.service.managementUrl}/metrics`)).text();
    return Number(line.exec(metrics)?.[1] ?? 0);
  };
  const secondsOfRequests = (): Promise<number> =>
    metric(
      /^vitrine_http_request_seconds_sum\{[^}]*route="\/api\/v1\/media\/:slug",status="200"[^}]*\} (\S+)/m,
    );
  const untilWaiting = (count: number): Promise<void> =>
    eventually(async () => expect(await metric(/^vitrine_http_held (\d+)/m)).toBe(count));

  // Promise [content]: `GET /media/<slug>?wait=` answers when the item is processed and decided.
  it.each([
    ['approved', 'person', "moderation_status = 'approved', decided_at = now()", null],
    ['left to a moderator', 'person', 'decided_at = now()', 'person'],
  ])('answers once the media item is processed and %s', async (_, __, decision, pendingOn) => {
    const waiting = ask(20);
    await untilWaiting(1);
    await change('processed = true');
    expect((await ask(0)).body.data).toMatchObject({ processed: true, pending_on: 'machine' });

    await change(decision);

    const { status, body } = await waiting;
    expect([status, body.data['processed'], body.data['pending_on']]).toEqual([200, true, pendingOn]);
  });

  it('answers once processing has failed', async () => {
    const waiting = ask(20, owner.session);
    await untilWaiting(1);

    await change("processing_error = 'It ends early.', moderation_status = 'rejected'");

    const { status, body } = await waiting;
    expect([status, body.data['processing_error']]).toEqual([200, 'It ends early.']);
  });

  it('answers 404 once the media item is deleted or rejected', async () => {
    const waiting = ask(20);
    await untilWaiting(1);
    await change("moderation_status = 'rejected'");
    expect((await waiting).status).toBe(404);

    await change("moderation_status = 'pending'");
    const again = ask(20);
    await untilWaiting(1);
    await api.database.query('delete from media where slug = $1', [slug]);
    expect((await again).status).toBe(404);
  });

  it('answers with the present state when the time is over, which is not counted as duration of the request', async () => {
    const before = await secondsOfRequests();
    const askedAt = performance.now();
    const { status, body } = await ask(1);
    const seconds = (performance.now() - askedAt) / 1000;
    expect((await secondsOfRequests()) - before).toBeLessThan(seconds - 0.9);
    expect([status, body.data['processed'], body.data['pending_on']]).toEqual([200, false, 'machine']);
  });

  it.each(['21', '-1', '1.5', 'x', ''])('refuses wait=%s', async (wait) => {
    const { status, body } = await ask(wait);
    expect([status, Object.keys((body as unknown as { errors: object }).errors)]).toEqual([422, ['wait']]);
  });

  // Promise [content]: Waiting requests for media items are limited for each address.
  it('answers at once if too many requests of its address wait', async () => {
    const waiting = Array.from({ length: 12 }, () => ask(20));
    await untilWaiting(8);
    const first = await Promise.race(waiting);
    expect([first.status, first.body.data['processed']]).toEqual([200, false]);

    await change("processed = true, moderation_status = 'approved', decided_at = now()");

    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
  });
});
