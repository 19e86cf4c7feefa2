import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { publicEvents } from '@vitrine/contracts';
import {
  describeUnless,
  describeWithRabbitMq,
  eventually,
  noisePicture,
  type OwnStack,
  type Person,
  startRabbitMq,
  startStack,
  type TestRabbitMq,
  whyFileMissing,
} from '@vitrine/testing';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { type Channel, type ChannelModel, connect, type ConsumeMessage } from 'amqplib';
import sharp from 'sharp';
import { runAdmin } from '../../admin/src/run-admin';
import { addConsumer } from './external-consumer';

const DOCS = resolve(__dirname, '../../../docs');
const HISTORY = 'vitrine.events.history';
const PYTHON = '/usr/bin/python3';
const PIKA = '/usr/lib/python3/dist-packages/pika/__init__.py';

interface Event {
  readonly id: string;
  readonly type: string;
  readonly version: number;
  readonly data: Readonly<Record<string, unknown>>;
}
const eventIn = (message: ConsumeMessage): Event => JSON.parse(message.content.toString('utf8')) as Event;

/** Takes messages of a queue until `last` says that it has the last one. */
async function read(
  connection: ChannelModel,
  queue: string,
  last: (event: Event, message: ConsumeMessage) => boolean,
  settle: (channel: Channel, message: ConsumeMessage) => void,
  start?: string,
): Promise<readonly Event[]> {
  const channel = await connection.createChannel();
  await channel.prefetch(10);
  const events: Event[] = [];
  await new Promise<void>((done) => {
    const take = (message: ConsumeMessage | null): void => {
      const event = eventIn(message!);
      events.push(event);
      settle(channel, message!);
      if (last(event, message!)) done();
    };
    void channel.consume(queue, take, { arguments: start ? { 'x-stream-offset': start } : {} });
  });
  await channel.close();
  return events;
}

describeWithRabbitMq('consumers of other teams', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-events-'));
  const programs: ChildProcess[] = [];
  let broker: TestRabbitMq;
  let stack: OwnStack;
  let ada: Person;

  beforeAll(async () => {
    broker = await startRabbitMq();
    // The address of the first consumer's user is not needed; from now on there is a history.
    await addConsumer(broker, 'first');
    stack = await startStack({ env: { BUS_URL: broker.url }, without: ['website'] });
    ada = await stack.createPerson('ada');
  });
  afterAll(async () => {
    programs.forEach((program) => program.kill('SIGKILL'));
    await stack?.close();
    await broker?.remove();
    rmSync(folder, { recursive: true });
  });

  const upload = async (color: number): Promise<string> => {
    const size = { width: 40, height: 30, channels: 3 } as const;
    const png = await sharp(await noisePicture(40, 30, color), { raw: size })
      .png()
      .toBuffer();
    const form = new FormData();
    form.set('file', new Blob([Uint8Array.from(png)]), 'a.png');
    const headers = { Authorization: `Bearer ${ada.session}` };
    const response = await fetch(stack.uploadUrl, { method: 'POST', body: form, headers });
    expect(response.status).toBe(201);
    return ((await response.json()) as { media: { slug: string } }).media.slug;
  };
  const call = async (
    method: string,
    path: string,
    body?: object,
    person = ada,
  ): Promise<{ data?: object }> => {
    const response = await fetch(stack.apiUrl + path, {
      method,
      headers: { Authorization: `Bearer ${person.session}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect([method, path, response.ok]).toEqual([method, path, true]);
    return (await response.json()) as { data?: object };
  };
  /** The program in this language that the guide prints, for the queue of a team. */
  const fromGuide = (language: string, team: string): string => {
    const guide = readFileSync(join(DOCS, 'guides/events.md'), 'utf8');
    const [, program] = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(guide)!;
    const file = join(folder, `${team}.${language}`);
    writeFileSync(file, program!.replace('external.search', `external.${team}`));
    return file;
  };
  const run = (url: string, ...args: readonly string[]): { readonly lines: string[]; stop(): void } => {
    const program = spawn(PYTHON, args, { env: { BUS_URL: url }, stdio: ['ignore', 'pipe', 'inherit'] });
    programs.push(program);
    const lines: string[] = [];
    program.stdout.on('data', (text: Buffer) => lines.push(...text.toString().trim().split('\n')));
    return { lines, stop: () => program.kill('SIGKILL') };
  };

  // Promise [webhooks]: When a consumer gets `media.processed`, the API already shows the media item as processed.
  it('get media.processed once it is committed, again if it was not acknowledged, with plain amqplib', async () => {
    const team = await connect(await addConsumer(broker, 'plain', '--events', 'media.processed'));
    const slug = await upload(1);
    const isOurs = ({ data }: Event): boolean => data['slug'] === slug;
    const first = await read(team, 'external.plain', isOurs, () => undefined);
    const { data } = await call('GET', `/media/${slug}`);
    expect(data).toMatchObject({ processed: true });
    expect(first.at(-1)).toMatchObject({ type: 'media.processed', data: { kind: 'image', owner: 'ada' } });
    const flags: boolean[] = [];
    const again = await read(team, 'external.plain', isOurs, (channel, message) => {
      flags.push(message.fields.redelivered);
      channel.ack(message);
    });
    expect([again, flags]).toEqual([first, first.map(() => true)]);
    await team.close();
  });

  describeUnless(whyFileMissing(PIKA, 'python3-pika'), 'in Python, as the guide prints it', () => {
    it('get new events, those that another process did not acknowledge, and the history', async () => {
      const url = await addConsumer(broker, 'python');
      const early = await upload(2);
      const team = await connect(url);
      const isEarly = ({ type, data }: Event): boolean =>
        type === 'media.processed' && data['slug'] === early;
      await read(team, 'external.python', isEarly, () => undefined);
      await team.close();

      const file = fromGuide('python', 'python');
      const consumer = run(url, file);
      await eventually(() => expect(consumer.lines).toEqual([`media.processed ${early} 2`]));
      const late = await upload(3);
      await call('DELETE', `/media/${late}`);
      await eventually(() =>
        expect(consumer.lines.at(-1)).toMatch(new RegExp(`^media.deleted ${late} \\d+$`)),
      );
      consumer.stop();

      const replay = run(url, file, '--from-history');
      await eventually(() => expect(replay.lines.at(-1)).toBe(consumer.lines.at(-1)));
      expect(replay.lines).toEqual(expect.arrayContaining(consumer.lines));
      replay.stop();
    });

    // Promise [webhooks]: Teams can test their consumers with examples of every event.
    it('handle the examples on a broker of their own', async () => {
      const own = await startRabbitMq();
      try {
        const consumer = run(await addConsumer(own, 'test'), fromGuide('python', 'test'));
        const publish = async (url: string): Promise<[number, string[]]> => {
          const before = process.env['BUS_URL'];
          process.env['BUS_URL'] = url;
          const lines: string[] = [];
          const say = (line: string): void => void lines.push(line);
          const status = await runAdmin(['publish-examples', join(DOCS, 'events')], {
            print: say,
            complain: say,
          });
          if (before === undefined) delete process.env['BUS_URL'];
          else process.env['BUS_URL'] = before;
          return [status, lines];
        };
        expect(await publish(own.url)).toEqual([0, ['Published 48 messages.']]);
        await eventually(() => expect(consumer.lines).toEqual(['media.deleted k3Jd9aQ 7']));
        consumer.stop();
        expect((await publish(broker.url))[0]).toBe(1);
      } finally {
        await own.remove();
      }
    });
  });

  it('get messages that match the schemas of docs/events', async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats(ajv);
    const schemas = new Map<string, ValidateFunction>(
      readdirSync(join(DOCS, 'events')).map((name) => [
        name.replace('.json', ''),
        ajv.compile(JSON.parse(readFileSync(join(DOCS, 'events', name), 'utf8')) as object),
      ]),
    );
    const media = await upload(4);
    const [grace, judge] = [
      await stack.createPerson('grace'),
      await stack.createPerson('judge', { role: 'moderator' }),
    ];
    const { client } = grace;
    const post = await ada.client.posts.create({ media_ids: [media], title: 'A' });
    await ada.client.posts.update(post.slug, { title: 'B' });
    const comment = await client.comments.create(post.slug, { content: 'Good' });
    await client.comments.update(comment.id, { content: 'Better' });
    await client.posts.vote(post.slug, 'up');
    await client.users.follow('ada');
    await client.comments.delete(comment.id);
    await call('POST', '/moderation/users/grace', { state: 'limited', reason: 'Spam.' }, judge);
    await call('DELETE', '/me', { password: grace.password }, grace);
    await call('POST', `/moderation/media/${media}`, { status: 'rejected', reason: 'illegal' }, judge);
    await ada.client.posts.delete(post.slug);
    const url = await addConsumer(broker, 'checker');
    const team = await connect(url);
    const expected = Object.values(publicEvents)
      .map(({ type }) => type)
      .filter((type) => type !== 'media.failed');
    // Two relays publish the events, so that the last may overtake others.
    const left = new Set<string>(expected);
    const seen = await read(
      team,
      HISTORY,
      ({ type }) => left.delete(type) && left.size === 0,
      (channel, message) => channel.ack(message),
      'first',
    );
    await team.close();
    for (const event of seen) {
      const validate = schemas.get(`${event.type}.v${event.version}`);
      expect([event, validate?.(event), validate?.errors]).toEqual([event, true, null]);
    }
    expect([...new Set(seen.map(({ type }) => type))].sort()).toEqual(expected.sort());
  });
});
