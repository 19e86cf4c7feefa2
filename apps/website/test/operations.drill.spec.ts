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

const QUEUE = 'upload-service.media.variants_stored';
const CAUSE = 'The disk of the books is full.';

/** What admins see of all five processes, and of messages that can't be handled until the cause is gone. */
function operations(busUrl: () => Promise<string | undefined>): void {
  let stack: OwnStack;
  let admin: Person;
  let visitor: FormVisitor;

  beforeAll(async () => {
    const bus = await busUrl();
    stack = await startStack({
      env: { BUS_RETRY_DELAYS_MS: '20,20', ...(bus !== undefined && { BUS_URL: bus }) },
    });
    admin = await stack.createPerson('boss', { role: 'admin' });
    visitor = new FormVisitor(stack.siteUrl).logIn(admin);
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
    });
  const processed = async (slugs: readonly string[]): Promise<readonly boolean[]> =>
    Promise.all(slugs.map(async (slug) => (await admin.client.media.get(slug)).processed));

  it('shows the settings of all five processes, without secrets', async () => {
    const processes = ['api-gateway', 'media-processor', 'moderation-service', 'upload-service'];
    const settings = await eventually(async () => {
      const found = await admin.client.admin.settings();
      expect([...new Set(found.map(({ process }) => process))]).toEqual(processes);
      return found;
    });
    for (const process of processes) {
      const own = settings.filter((one) => one.process === process);
      const replicas = new Set(own.flatMap(({ instances }) => instances));
      expect(replicas.size).toBe(1);
      expect(own.find(({ name }) => name === 'LOG_LEVEL')).toMatchObject({ secret: false, set: true });
    }
    const { html } = await visitor.open('/admin/settings');
    for (const process of [...processes, 'website']) expect(html).toContain(`id="${process}"`);
    const shown = [
      html,
      JSON.stringify(settings),
      JSON.stringify(await stack.sql('select * from process_settings')),
    ];
    for (const text of shown) {
      expect(text).toContain('ACCOUNT_SECRETS_KEY');
      expect(text).not.toMatch(/(postgresql|amqp):\/\/[^/]*@/);
      for (const secret of [stack.siteServiceKey, 'the-key-of-account-secrets']) {
        expect(text).not.toContain(secret);
      }
    }
  });

  // Promise [website]: Admins see dead letters, and have them tried again.
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
    expect(first).toMatchObject({ event: 'media.variants_stored', reason: CAUSE, attempts: 3 });
    const page = await visitor.open('/admin/work');
    expect(page.html.split(CAUSE)).toHaveLength(3);

    await stack.sql('drop trigger refuse_media on media');
    await admin.client.admin.replayDeadLetters({ queue: QUEUE, id: first!.id });
    const asked = await visitor.submit('/admin/work/replay', { id: second!.id });
    expect(asked.location).toBe('/admin/work');
    await lettersAre(0);
    await eventually(async () => expect(await processed(slugs)).toEqual([true, true]));
    expect((await visitor.open('/admin/work')).html).not.toContain(CAUSE);

    const { data } = await admin.client.admin.auditLog.list({ action: 'bus.replay' });
    expect(data).toMatchObject(
      [second!.id, first!.id].map((letter) => ({
        actor: 'boss',
        subject_type: 'bus',
        subject: QUEUE,
        detail: { letter },
      })),
    );
  });
}

describe('the work of the processes, with the bus on PostgreSQL', () =>
  operations(() => Promise.resolve(undefined)));

describeWithRabbitMq('the work of the processes, with RabbitMQ', () => {
  let broker: TestRabbitMq | undefined;
  afterAll(() => broker?.remove());
  operations(async () => (broker = await startRabbitMq()).url);
});
