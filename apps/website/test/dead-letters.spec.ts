import {
  describeWithRabbitMq,
  eventually,
  type OwnStack,
  type Person,
  startRabbitMq,
  startStack,
  type TestRabbitMq,
} from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';
import { landscape } from './support/samples';

jest.setTimeout(180_000);

const QUEUE = 'upload-service.media.processed';
const CAUSE = 'The disk of the books is full.';
/** A process reports its queues every ten seconds. */
const REPORTED = 40_000;

/** A message that can't be handled, until the cause is gone: seen and tried again by the API and on the page. */
function deadLetters(busUrl: () => Promise<string | undefined>): void {
  let stack: OwnStack;
  let admin: Person;
  let visitor: FormVisitor;

  beforeAll(async () => {
    const bus = await busUrl();
    stack = await startStack({
      env: { BUS_RETRY_DELAYS_MS: '20,20', ...(bus !== undefined && { BUS_URL: bus }) },
      without: ['moderation-service'],
    });
    admin = await stack.createPerson('boss', { role: 'admin' });
    visitor = new FormVisitor(stack.siteUrl);
    visitor.cookies.set('vitrine_session', admin.session);
  });
  afterAll(() => stack?.close());

  const upload = async (hue: number): Promise<string> => {
    const { name, buffer } = await landscape('hills.jpg', hue);
    return (await admin.client.media.upload(buffer, { name })).slug;
  };
  const queue = async () => (await admin.client.admin.work()).queues.find(({ name }) => name === QUEUE);
  const lettersAre = (dead: number): Promise<void> =>
    eventually(async () => {
      const found = await queue();
      expect([found?.dead, found?.dead_letters.length]).toEqual([dead, dead]);
    }, REPORTED);
  const processed = async (slugs: readonly string[]): Promise<readonly boolean[]> =>
    Promise.all(slugs.map(async (slug) => (await admin.client.media.get(slug)).processed));

  it('shows dead letters with their reasons, tries them again, and logs who asked for it', async () => {
    await stack.sql(
      `create function refuse_media() returns trigger language plpgsql as $$ begin raise exception '${CAUSE}'; end $$`,
    );
    await stack.sql(
      `create trigger refuse_media before update of processed on media for each row execute function refuse_media()`,
    );
    const slugs = [await upload(10), await upload(200)];
    await lettersAre(2);
    const [first, second] = (await queue())!.dead_letters;
    expect(first).toMatchObject({ event: 'media.processed', reason: CAUSE, attempts: 3 });
    const page = await visitor.open('/admin/work');
    expect(page.html.split(CAUSE)).toHaveLength(3);

    // The cause is still there.
    await admin.client.admin.replayDeadLetters({ queue: QUEUE, id: first!.id });
    await eventually(async () => {
      const letters = (await queue())!.dead_letters;
      expect(letters).toHaveLength(2);
      // RabbitMQ names letters after their messages, PostgreSQL numbers them.
      expect(letters).not.toContainEqual(first);
    }, REPORTED);
    expect(await processed(slugs)).toEqual([false, false]);

    await stack.sql('drop trigger refuse_media on media');
    await admin.client.admin.replayDeadLetters({ queue: QUEUE, id: second!.id });
    await lettersAre(1);
    await eventually(async () => expect((await processed(slugs)).filter(Boolean)).toHaveLength(1));

    await visitor.open('/admin/work');
    const done = await visitor.submit('/admin/work/replay', { id: '' });
    expect(done.location).toBe('/admin/work');
    await lettersAre(0);
    await eventually(async () => expect(await processed(slugs)).toEqual([true, true]));
    expect((await visitor.open('/admin/work')).html).not.toContain(CAUSE);

    const { data } = await admin.client.admin.auditLog.list({ action: 'bus.replay' });
    expect(data).toMatchObject(
      ['all', second!.id, first!.id].map((letter) => ({
        actor: 'boss',
        subject_type: 'bus',
        subject: QUEUE,
        detail: { letter },
      })),
    );
  });
}

describe('dead letters on PostgreSQL', () => deadLetters(() => Promise.resolve(undefined)));

describeWithRabbitMq('dead letters on RabbitMQ', () => {
  let broker: TestRabbitMq | undefined;
  afterAll(() => broker?.remove());
  deadLetters(async () => (broker = await startRabbitMq()).url);
});
