import { randomUUID } from 'node:crypto';
import { eventually, freePort, startService } from '@vitrine/testing';
import { descendantsOf } from '../../bench/src/processes/process-usage';
import { bearer, type Given, inJson, type ObservedProduct } from './observed-product';
import { scrape } from './scrape';

const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="5" height="5"/></svg>';

/**
 * Starts processes with settings that can't work, each with a secret in it, and stops those that start all the same.
 * Returns what they wrote.
 */
export async function startWithBadSettings({ secrets, stack }: ObservedProduct): Promise<string[]> {
  const nowhere = `127.0.0.1:${await freePort()}`;
  const data = { VITRINE_DATA_DIR: `/tmp/vitrine-aside-${randomUUID()}`, LOG_LEVEL: 'debug' };
  return Promise.all([
    outputWithoutReach('api-gateway', {
      ...data,
      DATABASE_URL: `postgresql://vitrine:${secrets.plant('refused database')}@${nowhere}/x`,
    }),
    bootFails('api-gateway', {
      ...data,
      DATABASE_URL: `mysql://vitrine:${secrets.plant('wrong scheme')}@${nowhere}/x`,
    }),
    bootFails('upload-service', {
      ...data,
      DATABASE_URL: `postgresql://vitrine:${secrets.plant('unreadable database')}%zz@[${nowhere}/x`,
    }),
    outputWithoutReach('upload-service', {
      ...data,
      DATABASE_URL: stack.database.url,
      BUS_URL: stack.database.url,
      STORAGE_URL: `s3://bucket?region=eu-west-1&endpoint=http://${nowhere}&path_style=true`,
      S3_ACCESS_KEY_ID: secrets.plant('S3 key id'),
      S3_SECRET_ACCESS_KEY: secrets.plant('S3 secret'),
    }),
    outputWithoutReach('media-processor', {
      ...data,
      BUS_URL: `amqp://vitrine:${secrets.plant('refused broker')}@${nowhere}`,
    }),
    bootFails('media-processor', {
      ...data,
      BUS_URL: `amqp://vitrine:${secrets.plant('unreadable broker')}@[${nowhere}`,
    }),
    bootFails('website', { ...data, SITE_SERVICE_KEY: secrets.plant('too short a site key').slice(0, 24) }),
  ]);
}

/** Starts a process that must refuse its settings. Returns its message. */
async function bootFails(name: string, env: Record<string, string>): Promise<string> {
  return startService(name, { env }).then(
    async (service) => {
      await service.stop();
      throw new Error(`${name} started`);
    },
    (error: Error) => error.message,
  );
}

/** Starts a process that can't reach something, and stops it once it has said so. Returns its output. */
async function outputWithoutReach(name: string, env: Record<string, string>): Promise<string> {
  const service = await startService(name, { env, untilAlive: true });
  await eventually(() => expect(service.output()).toMatch(/ECONNREFUSED|refused|unreachable/i));
  // It may not have started completely, or not yet listen for signals (null); it must end without being forced.
  expect([0, null]).toContain(await service.stop());
  return service.output();
}

/** Sends requests of every kind that succeed or fail, each with a secret in it. */
export async function sendSecrets(product: ObservedProduct): Promise<void> {
  const { secrets, stack, person, email, session, collector } = product;
  const { apiUrl, siteUrl, cdnUrl, uploadUrl } = stack;
  const wrong = secrets.plant('wrong password');
  await product.ask(`${apiUrl}/auth/login`, inJson({ login: person.username, password: person.password }));
  await product.ask(`${apiUrl}/auth/login`, inJson({ login: person.username, password: wrong }));
  await product.ask(`${apiUrl}/auth/login`, inJson({ login: email, password: wrong }));
  await product.ask(`${apiUrl}/auth/register`, inJson({ ...person, email }));
  await product.ask(
    `${apiUrl}/auth/register`,
    inJson({ username: 'no spaces', password: secrets.plant('refused registration') }),
  );
  await product.ask(`${apiUrl}/auth/login`, {
    ...inJson({}),
    body: `{"login":"x","password":"${secrets.plant('malformed JSON')}"`,
  });
  await product.ask(
    `${apiUrl}/me/password`,
    inJson({ current_password: wrong, password: secrets.plant('new password') }, bearer(session)),
  );
  await product.ask(`${apiUrl}/me`, { headers: bearer(`vtr_${secrets.plant('invented token')}`) });
  await product.ask(`${apiUrl}/me`, {
    headers: { Authorization: `Basic ${Buffer.from(`a:${secrets.plant('basic')}`).toString('base64')}` },
  });

  const made = await product.ask(
    `${apiUrl}/tokens`,
    inJson({ name: 'canary', current_password: person.password }, bearer(session)),
  );
  const token = secrets.know('API token', (JSON.parse(made.text) as { token: string }).token);
  const siteKey = { 'X-Vitrine-Site-Key': stack.siteServiceKey, 'X-Vitrine-Visitor': '192.0.2.7' };
  const ticket = await product.ask(`${apiUrl}/upload-tickets`, { method: 'POST', headers: siteKey });
  const given = JSON.parse(ticket.text) as { ticket: string; guest_token: string };
  await product.upload(secrets.know('upload ticket', given.ticket));
  await product.ask(`${apiUrl}/me`, { headers: bearer(secrets.know('guest token', given.guest_token)) });
  await product.ask(`${apiUrl}/posts`, {
    headers: { 'X-Vitrine-Site-Key': secrets.plant('wrong site key') },
  });

  const { slug } = await product.upload(
    token,
    { 'Idempotency-Key': secrets.plant('idempotency key') },
    `${secrets.plant('file name')}.jpg`,
  );
  const media = JSON.parse(
    (await product.ask(`${apiUrl}/media/${slug}`, { headers: bearer(token) })).text,
  ) as {
    data: { id: number };
  };
  const posted = await product.ask(
    `${apiUrl}/posts`,
    inJson(
      { media_ids: [media.data.id], visibility: 'private', title: secrets.plant('private title') },
      bearer(token),
    ),
  );
  const post = (JSON.parse(posted.text) as { post: { slug: string; access_key: string } }).post;
  const key = secrets.know('access key', post.access_key);
  await product.ask(`${apiUrl}/posts/${post.slug}?key=${key}`);
  await product.ask(`${apiUrl}/posts/${post.slug}?key=${secrets.plant('wrong access key')}`);
  await product.ask(`${siteUrl}/p/${post.slug}?key=${key}`);
  await product.ask(`${siteUrl}/p/${post.slug}?key=${secrets.plant('wrong access key on the site')}`);
  await product.ask(`${apiUrl}/posts?q=${secrets.plant('search')}&limit=${secrets.plant('wrong parameter')}`);
  await product.ask(`${siteUrl}/search?q=${secrets.plant('search on the site')}`);
  await product.ask(`${apiUrl}/${secrets.plant('path')}`);
  await product.ask(`${cdnUrl}/f/${secrets.plant('path of a file')}.jpg`);
  await product.ask(`${siteUrl}/${secrets.plant('path on the site')}`);
  await product.ask(`${siteUrl}/settings`, {
    headers: { Cookie: `vitrine_session=vts_${secrets.plant('invented session')}` },
  });
  await product.ask(`${siteUrl}/`, {
    headers: { Cookie: `vitrine_session=${session}; other=${secrets.plant('cookie')}` },
  });
  await product.ask(`${apiUrl}/me`, {
    headers: { ...bearer(session), Cookie: `a=${secrets.plant('cookie at the API')}` },
  });
  await product.ask(uploadUrl, {
    method: 'POST',
    headers: { ...bearer(token), 'Content-Type': 'multipart/form-data; boundary=x' },
    body: `--x\r\nContent-Disposition: form-data; name="file"; filename="${secrets.plant('refused file name')}"\r\n\r\n${secrets.plant('refused file')}\r\n--x--\r\n`,
  });

  await sendUploadAddresses(product);

  // Failures on our side.
  const comment = (content: string): Promise<Given> =>
    product.ask(`${apiUrl}/posts/${post.slug}/comments?key=${key}`, inJson({ content }, bearer(token)));
  await stack.sql(`alter table comments add constraint canary check (content not like 'canary%') not valid`);
  expect((await comment(secrets.plant('row that breaks a constraint'))).status).toBe(500);
  await stack.sql('alter table comments rename to comments_away');
  expect((await comment(secrets.plant('row without a table'))).status).toBe(500);
  await stack.sql('alter table comments_away rename to comments');

  // Poison messages: PostgreSQL's error repeats the text that it can't read.
  const poison = { media_id: secrets.plant('poison'), slug: 'poison1' };
  await stack.sql(`insert into bus.messages (queue, envelope) values ('upload-service.media.deleted', $1)`, [
    JSON.stringify({
      id: randomUUID(),
      type: 'media.deleted',
      version: 1,
      occurred_at: new Date().toISOString(),
      correlation_id: 'poison-0001',
      data: poison,
    }),
  ]);
  await stack.sql(
    `insert into bus.messages (queue, envelope) values ('upload-service.media.variants_stored', $1)`,
    [
      JSON.stringify({
        id: randomUUID(),
        type: 'media.variants_stored',
        version: 1,
        occurred_at: new Date().toISOString(),
        correlation_id: 'poison-0002',
        data: poison,
      }),
    ],
  );
  await stack.sql(`select pg_notify('vitrine_bus', queue) from bus.messages`);
  await eventually(async () => {
    const dead = await stack.sql<{ reason: string }>('select reason from bus.dead_letters');
    expect(dead.length).toBeGreaterThan(0);
  });

  // A collector that fails and repeats the spans in its answer.
  collector.answer(400, secrets.plant('answer of the collector'));
  await product.ask(`${apiUrl}/posts`);
  await eventually(() => {
    const outputs = [...stack.services.values()].map((service) => service.output()).join('');
    expect(outputs).toContain('because their export failed');
  });
  collector.answer(200, '{}');
}

/** Uses a token in a path and deletion codes, rightly and wrongly. */
async function sendUploadAddresses(product: ObservedProduct): Promise<void> {
  const { secrets, stack, person, session } = product;
  const host = new URL(stack.uploadUrl).origin;
  const made = await product.ask(
    `${stack.apiUrl}/tokens`,
    inJson({ name: 'address', scopes: ['upload'], current_password: person.password }, bearer(session)),
  );
  const token = secrets.know('token in the path', (JSON.parse(made.text) as { token: string }).token);
  const send = (path: string, method = 'POST', headers: Record<string, string> = {}): Promise<Given> => {
    const body = new FormData();
    body.set('image', new Blob([PICTURE]), 'a.svg');
    return product.ask(host + path, { method, headers, ...(method !== 'GET' && { body }) });
  };
  const uploaded = await send(`/c/${token}/3/image`);
  const { deletehash } = (JSON.parse(uploaded.text) as { data: { deletehash: string } }).data;
  secrets.know('deletion key', deletehash.slice(7));
  await send(`/d/${deletehash}`, 'GET');
  await send(`/d/${deletehash}`);
  expect((await send(`/d/${deletehash}`)).status).toBe(404);
  await send(`/c/${token}/nothing`, 'GET');
  await send(`/c/${token}/3/image`, 'PATCH');
  await send(`/c/${token}//3/image`);
  await send(`/c/vtr_${secrets.plant('invented token in the path')}/3/image`);
  await send(`/1/upload?key=${secrets.plant('key in the query')}`);
  await send('/1/upload', 'POST', { 'X-API-Key': secrets.plant('key in a header') });
  await send('/3/image', 'POST', { Authorization: `Client-ID ${secrets.plant('client id')}` });
}

/** Sends a signal to a process; does nothing if the process has ended. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // A wrapper ends with the worker that it isolates, and a worker with its wrapper.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Kills the workers of media-processor while they work. */
export async function crashWorkers(product: ObservedProduct): Promise<void> {
  const { secrets, stack, session } = product;
  const processor = stack.services.get('media-processor')!;
  // Workers of other lanes may still process earlier uploads.
  const busy = async (): Promise<number | undefined> =>
    (await scrape(processor)).samples.find(
      ({ metric, labels }) => metric === 'vitrine_media_busy_workers' && labels['lane'] === 'quick',
    )?.value;
  // The pool takes a worker that dies before it has taken a file for one that can't start, and doesn't count it as crashed.
  const first = await product.upload(session);
  await product.untilDecided(session, first.slug);
  await eventually(async () => expect(await busy()).toBe(0));
  // The innermost process first.
  const workers = [...descendantsOf(processor.pid!)].reverse();
  for (const pid of workers) signal(pid, 'SIGSTOP');
  const { slug } = await product.upload(session, {}, `${secrets.plant('file that kills')}.jpg`);
  await eventually(async () => expect(await busy()).toBe(1));
  for (const pid of workers) signal(pid, 'SIGKILL');
  await product.untilDecided(session, slug);
  const { samples } = await scrape(processor);
  expect(
    samples.find(({ metric }) => metric === 'vitrine_media_worker_crashes_total')?.value,
  ).toBeGreaterThan(0);
}
