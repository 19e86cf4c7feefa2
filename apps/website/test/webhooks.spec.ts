import { borrowStack, eventually, type Person, type Stack } from '@vitrine/testing';
import { FormVisitor } from './support/form-visitor';

const URL_OF_NOBODY = 'https://receiver.invalid/hook';
const SECRET = /whsec_[A-Za-z0-9+/]{43}=/;
const PATH = '/settings/webhooks';

describe('the pages of webhooks', () => {
  let stack: Stack;

  beforeAll(async () => {
    stack = await borrowStack({ without: ['media-processor', 'moderation-service'] });
  });
  afterAll(() => stack?.close());

  const as = (person: Pick<Person, 'session'>): FormVisitor => new FormVisitor(stack.siteUrl).logIn(person);

  it('are not shown to others, and not cached', async () => {
    const person = await stack.createPerson('hook_owner');
    const { webhook } = await person.client.webhooks.create({ url: URL_OF_NOBODY });
    const other = as(await stack.createPerson('hook_other'));
    for (const path of [PATH, `${PATH}/${webhook.id}`]) {
      const anonymous = await new FormVisitor(stack.siteUrl).open(path);
      expect([anonymous.status, anonymous.location]).toEqual([
        303,
        `/login?next=${encodeURIComponent(path)}`,
      ]);
      const own = await as(person).open(path);
      expect([own.status, own.headers.get('Cache-Control')]).toEqual([200, 'private, no-store']);
      expect(own.html).toContain(URL_OF_NOBODY);
    }
    expect((await other.open(PATH)).html).not.toContain(URL_OF_NOBODY);
    expect((await other.open(`${PATH}/${webhook.id}`)).status).toBe(404);
  });

  // Promise [website]: Webhooks are created, changed and tested; their secret is shown once.
  it('create a webhook and show its secret once', async () => {
    const person = await stack.createPerson('hook_maker');
    const visitor = as(person);
    await visitor.open(PATH);
    const refused = await visitor.submit(PATH, { url: 'http://127.0.0.1/', events: ['post.created'] });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('must not lead to a private network');
    expect(refused.html).toContain('value="http://127.0.0.1/"');
    const none = await visitor.submit(PATH, { url: URL_OF_NOBODY, events: [] });
    expect([none.status, none.html.includes('Choose at least one.')]).toEqual([422, true]);

    const made = await visitor.submit(PATH, {
      url: URL_OF_NOBODY,
      description: 'Mirror <b>&',
      events: ['post.created', 'media.deleted'],
    });
    expect(made.status).toBe(200);
    expect(made.html).toMatch(SECRET);
    expect(made.headers.get('Cache-Control')).toBe('private, no-store');
    const [webhook] = await person.client.webhooks.list();
    expect(webhook).toMatchObject({ description: 'Mirror <b>&', events: ['media.deleted', 'post.created'] });
    for (const path of [PATH, `${PATH}/${webhook?.id}`]) {
      const { html } = await visitor.open(path);
      expect(html).toContain('Mirror &lt;b>&amp;');
      expect(html).not.toMatch(SECRET);
    }
  });

  it('change, pause, enable and delete a webhook, and change its secret', async () => {
    const person = await stack.createPerson('hook_changer');
    const { webhook, secret } = await person.client.webhooks.create({ url: URL_OF_NOBODY });
    const visitor = as(person);
    const path = `${PATH}/${webhook.id}`;
    const now = () => person.client.webhooks.get(webhook.id);

    await visitor.open(path);
    const saved = await visitor.submit(path, { url: `${URL_OF_NOBODY}/2`, events: ['post.deleted'] });
    expect([saved.status, saved.location]).toEqual([303, path]);
    expect(await now()).toMatchObject({ url: `${URL_OF_NOBODY}/2`, events: ['post.deleted'] });
    const refused = await visitor.submit(path, { url: 'ftp://receiver.invalid/' });
    expect([refused.status, refused.html.includes('value="ftp://receiver.invalid/"')]).toEqual([422, true]);

    await visitor.open(path);
    await visitor.submit(`${path}/pause`);
    expect(await now()).toMatchObject({ active: false, disabled_reason: 'paused' });
    expect((await visitor.open(path)).html).toContain('You paused it');
    await visitor.submit(`${path}/enable`);
    expect(await now()).toMatchObject({ active: true });

    await visitor.open(path);
    const rotated = await visitor.submit(`${path}/rotate`);
    expect(rotated.html).toMatch(SECRET);
    expect(rotated.html).not.toContain(secret);
    expect((await visitor.open(`${path}/rotate`)).location).toBe(PATH);

    await visitor.open(path);
    expect((await visitor.submit(`${path}/delete`)).location).toBe(PATH);
    expect(await person.client.webhooks.list()).toEqual([]);
  });

  it.each([
    ['failing', 'all attempts failed for five days'],
    ['gone', 'is gone (410)'],
  ])('say why a webhook was disabled: %s', async (reason, text) => {
    const person = await stack.createPerson(`hook_${reason}`);
    const { webhook } = await person.client.webhooks.create({ url: URL_OF_NOBODY });
    await stack.sql(
      `update webhooks set disabled_reason = '${reason}', disabled_at = now() where id = ${webhook.id}`,
    );
    expect((await as(person).open(`${PATH}/${webhook.id}`)).html).toContain(text);
    expect((await as(person).open(PATH)).html).toContain('disabled');
  });

  it('send a test, show its delivery with the error, and repeat it', async () => {
    const person = await stack.createPerson('hook_tester');
    const { webhook } = await person.client.webhooks.create({ url: URL_OF_NOBODY });
    const visitor = as(person);
    const path = `${PATH}/${webhook.id}`;
    await visitor.open(path);
    expect((await visitor.submit(`${path}/test`)).location).toBe(path);
    const shown = await eventually(async () => {
      const { html } = await visitor.open(path);
      expect(html).toContain('The host has no address.');
      return html;
    });
    expect(shown).toContain('webhook.test');
    const { data } = await person.client.webhooks.deliveries(webhook.id).list();
    await stack.sql(
      `update webhook_deliveries set status = 'failed', next_attempt_at = null where webhook_id = ${webhook.id}`,
    );
    const repeated = await visitor.submit(`${path}/deliveries/${data[0]?.id}/repeat`);
    expect([repeated.status, repeated.location]).toEqual([303, path]);
    expect((await person.client.webhooks.getDelivery(webhook.id, data[0]?.id ?? 0)).status).toBe('pending');
  });
});
